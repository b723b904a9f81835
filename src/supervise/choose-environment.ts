import { isAbsolute, join } from "node:path";
import type { Target as TargetSection } from "../config/target.ts";
import type { EnvironmentRequest } from "../env/activation.ts";

/** The environment that a target's section asks for; paths are relative to the folder of the run, `~/` to `home`. */
export function chooseEnvironment(
  section: TargetSection,
  { cwd, home }: { cwd: string; home: string },
): EnvironmentRequest {
  const place = (path: string) => (isAbsolute(path) ? path : join(cwd, path));
  const expand = (path: string) => path.replace(/^~(?=\/|$)/, home);
  const { activate, conda, venv, uv, python } = section;
  if (activate) return { kind: "shell", text: activate.shell, conda: null };
  if (conda && "shell" in conda) return { kind: "shell", text: conda.shell, conda: conda.env ?? null };
  if (conda) {
    const script = conda.script === undefined ? null : expand(conda.script);
    return { kind: "conda", name: expand(conda.env), conda: conda.conda && expand(conda.conda), script };
  }
  if (venv) return { kind: "venv", path: place(expand(venv)), madeBy: "venv" };
  if (uv) return { kind: "venv", path: join(uv === true ? cwd : place(expand(uv)), ".venv"), madeBy: "uv" };
  if (python?.includes("/")) return { kind: "python", path: place(expand(python)) };
  return { kind: "caller" };
}
