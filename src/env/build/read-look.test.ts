import { expect, it } from "vitest";
import { readLook } from "./read-look.ts";

const ANSWER =
  "hello\nbegin=t\nbuild=3\nlog=/envs/logs/a-3.log\nours=yes\nstate=building\nend=t\nlog=t 5 4\n";

it("reads the bytes of the log as they are, though they look like an answer", () => {
  const look = readLook(Buffer.concat([Buffer.from(ANSWER), Buffer.from([0xff, 0x0a, 0xc3, 0xa9])]), "t");
  expect(look).toMatchObject({
    state: "building",
    build: "3",
    log: "/envs/logs/a-3.log",
    isOurs: true,
    hasMore: true,
  });
  expect(look?.output).toEqual(Buffer.from([0xff, 0x0a, 0xc3, 0xa9]));
});

it("takes no answer that was cut for one", () => {
  const whole = Buffer.from(`${ANSWER}abcd`);
  for (let length = 0; length < whole.length; length++) {
    expect(readLook(whole.subarray(0, length), "t")).toBeNull();
  }
  expect(readLook(whole, "t")).not.toBeNull();
  expect(readLook(whole, "other")).toBeNull();
});

it("takes an environment for ready only where it is told which", () => {
  const look = readLook(Buffer.from('begin=t\nready={"name":"a"\nstate=ready\nend=t\n'), "t");
  expect(look).toMatchObject({ state: "unable", ready: null, build: null });
});
