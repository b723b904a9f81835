import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

/** Whether this process may mount: root on a machine of its own, and in some containers. */
export function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), "sortie-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", place], { stdio: "ignore" });
    execFileSync("umount", [place], { stdio: "ignore" });
    return true;
  } catch {
    return false; // no mount, or not allowed: that is the answer
  } finally {
    rmdirSync(place);
  }
}

/** Mounts for the tests of a file, taken away after each of them. Only where `canMount`. */
export function useMounts() {
  const mounted: string[] = [];
  const mount = (args: readonly string[], place: string) => {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    execFileSync("mount", [...args, place]);
    mounted.push(place);
  };
  afterEach(() => {
    for (const place of mounted.splice(0).reverse()) execFileSync("umount", ["--lazy", place]);
  });
  return {
    /** The folder as it is, but nothing can be written to it, not even by root. */
    mountReadOnly(folder: string) {
      mount(["--bind", folder], folder);
      execFileSync("mount", ["-o", "remount,bind,ro", folder]);
    },
    unmount(folder: string) {
      mounted.splice(mounted.lastIndexOf(folder), 1);
      execFileSync("umount", ["--lazy", folder]);
    },
    /** A file system of so many KiB, and of so many files and folders if that is said. */
    mountSmall: (folder: string, sizeKiB: number, inodes = 1000) =>
      mount(["-t", "tmpfs", "-o", `size=${sizeKiB}k,mode=0700,nr_inodes=${inodes}`, "tmpfs"], folder),
  };
}
