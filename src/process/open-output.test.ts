import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTempFolder } from "../../test/support/temp-folder.ts";
import { openOutput } from "./open-output.ts";

const folder = useTempFolder();

it("opens a pipe anew, so that its blocking is the child's own affair", () => {
  const path = join(folder(), "pipe");
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const output = openOutput(fd);
  if (process.platform === "linux") {
    expect(output.fd).not.toBe(fd);
    spawnSync("true", { stdio: ["ignore", output.fd, output.fd] });
    expect([isNonBlocking(fd), isNonBlocking(output.fd)]).toEqual([true, false]);
  }
  output.close();
  closeSync(fd);
});

it("does not wait for somebody who reads the pipe", () => {
  const path = join(folder(), "pipe");
  execFileSync("mkfifo", [path]);
  const fd = openUnread(path);
  const output = openOutput(fd);
  output.close();
  closeSync(fd);
});

it("shares a file, whose end is the same for all who write to it", () => {
  writeFileSync(join(folder(), "log"), "");
  const fd = openSync(join(folder(), "log"), "w");
  const output = openOutput(fd);
  expect(output.fd).toBe(fd);
  output.close();
  closeSync(fd);
});

/** The end to write to, of a pipe whose reader is gone. */
function openUnread(path: string): number {
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  closeSync(reader);
  return fd;
}

function isNonBlocking(fd: number): boolean {
  const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1] ?? "";
  return (Number.parseInt(flags, 8) & constants.O_NONBLOCK) !== 0;
}
