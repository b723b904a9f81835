import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach } from "vitest";
import { quoteShell } from "../../../src/base/quote.ts";
import { useTempFolder } from "../temp-folder.ts";

/** Has the real package `modal`; it is what `npm test` prepares. */
const PYTHON = resolve(".venv/bin/python");
const PROGRAM = resolve("test/support/modal/modal_double.py");

/** What goes wrong at Modal. */
export interface ModalFaults {
  /** Every command: Modal does not answer. */
  readonly offline?: boolean;
  readonly run?: {
    /** Found before anything runs, as an image that cannot be built; `before`: what is printed first. */
    readonly error?: string;
    readonly before?: string;
    /** The caller loses the network once the function has been started. */
    readonly connectionLost?: boolean;
    /** Once this is in its log the machine is taken away, and the function started again. */
    readonly preemptAfter?: string;
  };
  /** Of `volume get`: the file whose path ends so holds `body`, only its first `bytes`, or is missing; as often as it says (once). */
  readonly get?: {
    readonly path: string;
    readonly body?: string;
    readonly bytes?: number;
    readonly times?: number;
  };
}

export interface DoubledApp {
  readonly app_id: string;
  readonly description: string;
  readonly state: string;
  readonly functions: readonly {
    readonly name: string;
    readonly gpu: string | readonly string[] | null;
    readonly timeout: number | null;
    readonly secrets: readonly string[];
    readonly volumes: Readonly<Record<string, string>>;
    readonly args: readonly unknown[];
  }[];
}

/**
 * `const modal = useModal()` beside the tests: the program `modal` of a made-up account, which dials nothing. Put
 * `modal.env()` into the environment of whoever calls it.
 */
export function useModal() {
  const folder = useTempFolder();
  const path = (...parts: string[]) => join(folder(), ...parts);
  const writeJson = (name: string, value: unknown) => writeFileSync(path(name), JSON.stringify(value));
  beforeEach(() => {
    for (const name of ["bin", "apps", "containers", "volumes"]) mkdirSync(path(name));
    const program = `#!/bin/sh\nexec ${quoteShell(PYTHON)} ${quoteShell(PROGRAM)} "$@"\n`;
    writeFileSync(path("bin", "modal"), program, { mode: 0o755 });
    setAccount({});
  });

  /** Secrets with their variables; `isLoggedIn`: the CLI has a token of its own. */
  function setAccount({ secrets = {}, isLoggedIn = true }: Account) {
    writeJson("account.json", { workspace: "me", loggedIn: isLoggedIn, secrets });
  }

  return {
    /** PATH with the program before all others, and where it keeps what it knows. */
    env: () => ({
      PATH: `${path("bin")}:${process.env["PATH"]}`,
      MODAL_DOUBLE: folder(),
      MODAL_CONFIG_PATH: path("no-login.toml"),
      PYTHONDONTWRITEBYTECODE: "1",
    }),
    setAccount,
    setFaults: (faults: ModalFaults) => writeJson("faults.json", faults),
    addVolume: (name: string) => mkdirSync(path("volumes", name)),
    /** A path on a volume, from its top. */
    findOnVolume: (name: string, ...parts: string[]) => path("volumes", name, ...parts),
    /** Every call of the program, oldest first. */
    listCalls: (): string[][] =>
      existsSync(path("calls.jsonl"))
        ? readFileSync(path("calls.jsonl"), "utf8")
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
    /** What runs, and what ran. */
    listApps: (): DoubledApp[] =>
      readdirSync(path("apps"))
        .filter((name) => name.endsWith(".json"))
        .map((name) => JSON.parse(readFileSync(path("apps", name), "utf8"))),
  };
}

interface Account {
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly isLoggedIn?: boolean;
}
