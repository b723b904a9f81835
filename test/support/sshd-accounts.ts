import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findTool } from "./shells.ts";

export type LoginShell = "bash" | "fish" | "tcsh" | "zsh" | "dash";

/** A user of this machine for the tests, with an empty home of its own. */
export interface Account {
  readonly name: string;
  readonly home: string;
}

export function canMakeAccounts(): boolean {
  return process.getuid?.() === 0 && findTool("useradd") !== undefined;
}

/** Accounts in a folder, which the caller removes; `removeAll` takes them off the machine. */
export function makeAccounts(folder: string) {
  const made: string[] = [];
  const remove = (name: string) => execFileSync("userdel", ["-f", name], { stdio: "pipe" });
  const removeOrphan = (name: string) => {
    try {
      remove(name);
    } catch {
      // another test file was faster
    }
  };
  return {
    make(shell: LoginShell): Account {
      if (made.length === 0) findOrphans().forEach(removeOrphan);
      const name = `sortie-${process.pid}-${shell}-${made.length}`;
      const home = join(folder, name);
      mkdirSync(home, { recursive: true });
      const path = findTool(shell);
      if (!path) throw new Error(`there is no ${shell} here`);
      execFileSync("useradd", ["-M", "-N", "-d", home, "-s", path, name], { stdio: "pipe" });
      made.push(name);
      // `*`: no password fits, but the account is not locked, which sshd without PAM would refuse.
      execFileSync("usermod", ["-p", "*", name], { stdio: "pipe" });
      execFileSync("chown", [name, home]);
      chmodSync(home, 0o755);
      return { name, home };
    },
    removeAll() {
      made.splice(0).forEach(remove);
    },
  };
}

/** Accounts of test files that were killed: the number in their name is that of a process which is no longer there. */
function findOrphans(): string[] {
  const names = readFileSync("/etc/passwd", "utf8").matchAll(/^(sortie-(\d+)-\w+-\d+):.*:\/tmp\/sortie-/gm);
  return [...names].filter(([, , pid]) => !existsSync(`/proc/${pid}`)).map(([, name = ""]) => name);
}

/** A file of an account's home, such as `.bashrc`. */
export function writeStartFile(home: string, file: string, line: string) {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), `${line}\n`);
}
