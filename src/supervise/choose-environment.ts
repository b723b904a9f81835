import { isAbsolute, join } from "node:path";
import type { Target as TargetSection } from "../config/target.ts";
import type { EnvironmentRequest } from "../env/activation.ts";

/** The environment that a target's section asks for; paths are relative to the folder of the run. */
export function chooseEnvironment(section: TargetSection, cwd: string): EnvironmentRequest {
  const inFolder = (path: string) => (isAbsolute(path) ? path : join(cwd, path));
  if (section.activate) return { kind: "shell", text: section.activate.shell };
  if (section.conda && "shell" in section.conda) return { kind: "shell", text: section.conda.shell };
  if (section.conda) return { kind: "conda", name: section.conda.env, conda: section.conda.conda };
  if (section.venv) return { kind: "venv", path: inFolder(section.venv), madeBy: "venv" };
  if (section.uv) {
    const project = section.uv === true ? cwd : inFolder(section.uv);
    return { kind: "venv", path: join(project, ".venv"), madeBy: "uv" };
  }
  if (section.python?.includes("/")) return { kind: "python", path: inFolder(section.python) };
  return { kind: "caller" };
}
