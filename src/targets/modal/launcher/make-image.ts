import { quoteCommand } from "../../../base/quote.ts";
import { renderModal } from "../../../env/render/modal.ts";
import type { EnvSpec } from "../../../env/spec/env-spec.ts";
import type { ModalImage } from "../modal-wish.ts";

const BARE: EnvSpec = {
  ...{ base: null, systemPkgs: [], pipPhases: [], env: {}, runCommands: [], weightDirs: [] },
  smoke: { importNames: [], gpuTests: [], cliChecks: [] },
};
const FIRST_LINE = "image = (";

/** The Python statement that defines `image`; paths of files in it are relative to the code folder. @throws spec_unrenderable */
export function makeImage(image: ModalImage): string {
  const { name, hash, spec } = findSpec(image);
  const module = renderModal(spec, { name, hash });
  return module.slice(module.indexOf(FIRST_LINE)).trimEnd();
}

function findSpec(image: ModalImage): { name: string; hash: string; spec: EnvSpec } {
  if (image.from === "spec") return image;
  const pipPhases = image.from === "plain" ? [] : [[quoteCommand(["-r", image.file])]];
  return { name: "", hash: "", spec: { ...BARE, base: image.base, pipPhases } };
}
