import { isAbsolute, join } from "node:path";
import type { Target as TargetSection } from "../config/target.ts";
import type { EnvironmentRequest } from "../env/activation.ts";

/**
 * The environment that a target's section asks for; paths are relative to the folder of the run, `~/` to `home`, which on
 * another host is `~` itself. A name of an environment or interpreter stays a name.
 */
export function chooseEnvironment(
  section: TargetSection,
  { cwd, home }: { cwd: string; home: string },
): EnvironmentRequest {
  const place = (path: string) => {
    const whole = path.replace(/^~(?=\/|$)/, home);
    return isAbsolute(whole) || whole.startsWith("~") ? join(whole) : join(cwd, whole);
  };
  const placeNamed = (text: string) => (/^~$|\//.test(text) ? place(text) : text);
  const { activate, conda, venv, uv, python } = section;
  if (activate) return { kind: "shell", text: activate.shell, conda: null };
  if (conda && "shell" in conda) return { kind: "shell", text: conda.shell, conda: conda.env ?? null };
  if (conda) {
    const script = conda.script === undefined ? null : place(conda.script);
    return { kind: "conda", name: placeNamed(conda.env), conda: conda.conda && place(conda.conda), script };
  }
  if (venv) return { kind: "venv", path: place(venv), madeBy: "venv" };
  if (uv) return { kind: "venv", path: join(uv === true ? cwd : place(uv), ".venv"), madeBy: "uv" };
  if (python) return { kind: "python", path: placeNamed(python) };
  return { kind: "caller" };
}
