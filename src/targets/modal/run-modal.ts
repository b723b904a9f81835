/** For every call of `modal`: its lines are not folded at 80 characters, and hold no colours. */
export const MODAL_VARIABLES: Readonly<Record<string, string>> = { COLUMNS: "1000", NO_COLOR: "1" };

export interface ModalCall {
  /** A Python file, or a module (`package.app`). */
  readonly app: string;
  /** The function, or the local entry point; null: the app has only one. */
  readonly function: string | null;
  readonly args: readonly string[];
  /**
   * What the function takes: `any` is `*args`, which get what follows `--` as it is. Parameters with names are options to
   * `modal run`, and it refuses all that follows `--`: there is none for those.
   */
  readonly takes: "any" | "options";
  /** Goes on when this machine sleeps, or is switched off. */
  readonly detach: boolean;
  /** The name under which `modal app list` shows it. */
  readonly name: string;
}

/** The argument list that starts an app. */
export function makeRunArguments({ app, function: called, args, takes, detach, name }: ModalCall): string[] {
  const separated = args.length > 0 && takes === "any" ? ["--", ...args] : args;
  return [
    ...["modal", "run", ...(detach ? ["--detach"] : []), "--name", name],
    ...(app.endsWith(".py") ? [] : ["-m"]),
    called === null ? app : `${app}::${called}`,
    ...separated,
  ];
}

/** What of a command is passed to the app: what follows `python APP`, where it begins so. */
export function findAppArguments(command: readonly string[], app: string): readonly string[] {
  const isPython = /^(?:.*\/)?python[\d.]*$/.test(command[0] ?? "");
  const isApp = (word: string | undefined) => word?.replace(/^\.\//, "") === app.replace(/^\.\//, "");
  if (isPython && isApp(command[1])) return command.slice(2);
  return isApp(command[0]) ? command.slice(1) : command;
}

export interface RunSight {
  /** `ap-…`; null: the app was not made (yet). */
  readonly appId: string | null;
  readonly page: string | null;
  /** `modal run` ended with success although the app goes on: the network was lost, or someone interrupted it. */
  readonly isLeft: boolean;
}

/** What `modal run` printed about the app itself. */
export function readRunOutput(text: string): RunSight {
  const page = /View run at\s+(https?:\/\/\S+)/.exec(text)?.[1] ?? null;
  const appId = (page ?? text).match(/\bap-[A-Za-z0-9]{6,}\b/)?.[0] ?? null;
  return { appId, page, isLeft: /The detached App will keep running/.test(text) };
}
