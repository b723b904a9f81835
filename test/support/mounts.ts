import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { afterEach } from "vitest";

/** Mounts for the tests of a file, taken away after each of them. They need root, as in the run of all tests on Debian. */
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
    /** A file system of so many KiB. */
    mountSmall: (folder: string, sizeKiB: number) =>
      mount(["-t", "tmpfs", "-o", `size=${sizeKiB}k,mode=0700`, "tmpfs"], folder),
  };
}
