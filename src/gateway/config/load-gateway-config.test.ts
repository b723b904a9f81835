import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useTempFolder } from "../../../test/support/temp-folder.ts";
import { SortieError } from "../../base/error.ts";
import { behaviours } from "./behaviours.ts";
import { initText } from "./init-text.ts";
import { loadGatewayConfig } from "./load-gateway-config.ts";

const folder = useTempFolder();
const write = (text: string | Uint8Array): string => {
  const file = join(folder(), "gateway.yaml");
  writeFileSync(file, text);
  return file;
};
const BOARD = "boards:\n  manip:\n    simulator: reach\n    tasks:\n      one: 2\n";
const load = (text: string) => loadGatewayConfig(write(text));
const refuse = (text: string | Uint8Array): SortieError => {
  try {
    loadGatewayConfig(write(text));
  } catch (fault) {
    if (fault instanceof SortieError) return fault;
  }
  throw new Error("it was not refused");
};
/** What was told, without the folder. */
const tell = (text: string) =>
  refuse(text)
    .message.split("\n")
    .slice(1)
    .map((line) => line.replace(`${folder()}/`, ""));

describe("gateway.yaml", () => {
  it("as init writes it loads without a word", () => {
    const config = load(initText);
    expect(config).toMatchObject({
      dataFolder: join(folder(), "data"),
      listen: { host: "127.0.0.1", port: 8700 },
      publicUrl: undefined,
      policy: { openpi: { port: 8701 }, corobot: { port: 8702 } },
      quota: { limit: 99, timeZone: "+08:00" },
      timers: { pingMs: 20_000, readDeadlineMs: 45_000, windowMs: 30_000, drainMs: 60_000 },
      recordings: { folder: join(folder(), "data", "recordings"), maxBytes: 10e9 },
      flags: behaviours.sortie,
    });
    expect(config.boards.map(({ name }) => name)).toEqual(["instruction", "spatial", "manip", "robust"]);
    expect(config.boards[0]?.tasks[1]).toEqual({ name: "right_shelf", cases: 2, seed: 101 });
  });

  it("as init writes it, with every commented line taken in, loads too", () => {
    const whole = initText.replace(/^# (?=public_url:)|^ {2}# (?= *[a-zA-Z_]+:)/gm, (mark) =>
      mark.slice(0, -2),
    );
    const config = load(whole);
    expect(config.publicUrl).toBe("wss://challenge.example.org/api/challenge/tunnel");
    expect(config.flags).toEqual(behaviours.sortie);
    expect(config.boards[4]).toEqual({
      ...{ name: "kitchen", payload: "openpi", simulator: "outside", steps: 20 },
      tasks: [{ name: "open_drawer", cases: 5, seed: 1 }],
    });
  });

  it("needs no more than a board", () => {
    expect(load(BOARD)).toMatchObject({
      ...{ parallelism: 4, caseAttempts: 3, trustProxy: false, recordings: undefined },
      policy: { openpi: undefined, corobot: undefined },
      boards: [{ name: "manip", payload: "g2", steps: 20, tasks: [{ name: "one", cases: 2, seed: 0 }] }],
    });
  });

  it("tells all that is wrong at once, with line, key and what to write", () => {
    const text = `listn: 127.0.0.1:1
quota: {jobs_per_day: many, time_zone: Mars/Base}
timers:
  ping: soon
boards:
  manip:
    simulator: rech
    steps: 0
    tasks:
      one: {cases: 2, sed: 4}
`;
    expect(tell(text)).toEqual([
      "gateway.yaml:1: listn: is no key that is known here; did you mean listen?",
      'gateway.yaml:2: quota.jobs_per_day: "many" is no whole number in its range; write 0 to 1000000',
      'gateway.yaml:2: quota.time_zone: "Mars/Base" is no time zone; write an offset such as "+08:00", or a name such as Asia/Shanghai',
      'gateway.yaml:4: timers.ping: "soon" is not a time; write a time such as 20s, 5m or 1h',
      'gateway.yaml:7: boards.manip.simulator: "rech" is none of those that there are; write reach, or another of reach, echo, outside',
      'gateway.yaml:8: boards.manip.steps: "0" is no whole number in its range; write 1 to 100000',
      "gateway.yaml:10: boards.manip.tasks.one.sed: is no key that is known here; did you mean seed?",
    ]);
    expect(refuse(text)).toMatchObject({ code: "gateway_config_bad", exit: 2 });
    expect(refuse(text).details["problems"]).toHaveLength(7);
  });

  it("refuses what is written twice: keys, boards and tasks", () => {
    const twice = `${BOARD}      one: 3\n  manip: {simulator: echo, tasks: {a: 1}}\nlisten: 1\nlisten: 2\n`;
    expect(tell(twice)).toEqual([
      "gateway.yaml:6: boards.manip.tasks.one: is written twice; keep one of them",
      "gateway.yaml:7: boards.manip: is written twice; keep one of them",
      "gateway.yaml:9: listen: is written twice; keep one of them",
    ]);
  });

  it.each([
    ["", /gateway.yaml:1: boards: is missing/],
    ["boards:\n", /gateway.yaml:1: boards: is missing/],
    ["boards: {}\n", /boards: is missing/],
    ["- a\n- b\n", /gateway.yaml:1: the file must hold lines/],
    ["boards: [a]\n", /gateway.yaml:1: boards: must hold lines/],
    ["boards:\n  a:\n", /boards.a.simulator: is missing.*\n.*boards.a.tasks: is missing/],
    ["boards:\n  A b:\n    simulator: echo\n    tasks: {x: 1}\n", /:2: boards.A b: is no name of a board/],
    [`boards: {a: {simulator: echo, tasks: {"\\e[31m": 1}}}\n`, /boards.a.tasks."\\u001b\[31m": is no name/],
    ["listen: [::1]:8700\n", /gateway.yaml:1: the file is no YAML/],
    ["a: 1\n---\nb: 2\n", /gateway.yaml:\d: the file is no YAML/],
    [`x: &a 1\n${BOARD}listen: *a\n`, /:1: x: is no key/],
    [`listen: &a 1\ntrust_proxy: *a\n${BOARD}`, /:2: trust_proxy: must be one value/],
    [`listen: !secret 1\n${BOARD}`, /:1: the file is no YAML: Unresolved tag/],
    [`listen: 127.0.0.1:70000\n${BOARD}`, /listen: "127.0.0.1:70000" is no address/],
    [`public_url: https://x.org\n${BOARD}`, /public_url: .* write wss:\/\/ instead of https:/],
    [`public_url: wss://me:pw@x.org\n${BOARD}`, /public_url: .*a user name in it/],
    [`trust_proxy: yes\n${BOARD}`, /trust_proxy: "yes" is neither true nor false/],
    [`timers: {ping: 0s}\n${BOARD}`, /timers.ping: "0s" is no time at all/],
    [`listen: "${"x".repeat(9_000)}"\n${BOARD}`, /:1: listen: "x{60}…" \(9000 characters\) is no address/],
    [`${"x".repeat(900)}: 1\n${BOARD}`, /:1: "x{60}…" \(900 characters\): is no key/],
    [`timers: {ping: 20}\n${BOARD}`, /timers.ping: "20" has no unit; write 20s for seconds, or 20m for/],
    [
      `timers: {ping: 45s}\n${BOARD}`,
      /:1: timers.ping: ends every link .*; make read_deadline twice as long/,
    ],
    [`timers:\n  ping: 9s\n  read_deadline: 9s\n${BOARD}`, /yaml:3: timers.read_deadline: ends every link/],
    [
      `listen: 8701\npolicy:\n  openpi: 8701\n${BOARD}`,
      /:3: policy.openpi: is the port of listen too; choose/,
    ],
    [`listen: 0.0.0.0:81\npolicy: {corobot: 81}\n${BOARD}`, /policy.corobot: is the port of listen too/],
    [`policy: {openpi: 82, corobot: 82}\n${BOARD}`, /:1: policy.corobot: is the port of openpi too/],
    [`public_url: wss://x.org/a?b=c\n${BOARD}`, /public_url: .* cannot be dialed: there is a \? in it/],
    [`public_url: wss://x.org/?\n${BOARD}`, /public_url: .* there is a \? in it/],
    [`public_url: "wss://x.org/#a"\n${BOARD}`, /public_url: .* there is a # in it/],
    [`recordings: {max_size: 999kB}\n${BOARD}`, /recordings.max_size: "999kB" is less than 1 MB; write/],
    [`listen: @home\n${BOARD}`, /:1: the file is no YAML: .*reserved character @; put the value in quotes/],
    [`quota:\n\tjobs_per_day: 1\n${BOARD}`, /:2: the file is no YAML: Tabs .*; indent with blanks/],
    [
      `quota: {jobs_per_day: 1\n${BOARD}`,
      /the file is no YAML: .*; indent keys .*, and close what { or \[ opens/,
    ],
    [`listen: '8700\n`, /the file is no YAML: Missing closing 'quote; write what is missing/],
    [
      ` quota: {}\n${BOARD}`,
      /^.*\n.*yaml:\d: the file is no YAML: .*; indent keys of one level alike[^\n]*(\n|$)/,
    ],
    [`timers: {ping: 40d}\n${BOARD}`, /timers.ping: "40d" is longer than 30 days/],
    [`recordings: {max_size: 10 GG}\n${BOARD}`, /recordings.max_size: "10 GG" is not a size/],
    [`flags: {strictFrame: true}\n${BOARD}`, /flags.strictFrame: .*did you mean strictFrames/],
    [`flags: {jobIdError: 404}\n${BOARD}`, /flags.jobIdError: "404" .*400, 500/],
    [`flags: {loginMethods: []}\n${BOARD}`, /flags.loginMethods: is empty/],
    [`behaviour: [old, new]\n${BOARD}`, /behaviour: must be one value/],
    [`quota: {time_zone: "+8"}\n${BOARD}`, /quota.time_zone: "\+8" is no time zone/],
    ["boards: {a: {simulator: echo, payload: opaque, tasks: {x: 1}}}", /boards.a.payload: cannot be opaque/],
    [`parallelism: 1e3\n${BOARD}`, /parallelism: "1e3" is no whole number/],
  ])("says what is wrong with %j", (text, problem) => {
    expect(refuse(text).message).toMatch(problem);
  });

  it("takes behaviours, single flags and the spellings of addresses", () => {
    const more = `behaviour: field\nflags: {jobIdError: 400, loginMethods: [get, post-json]}\n`;
    const places = 'listen: "[::1]:9000"\npolicy: {openpi: 9001, corobot: off}\nrecordings: off\n';
    const config = load(`${more}${places}public_url: wss://x.org\n${BOARD}`);
    expect(config.flags).toEqual({
      ...behaviours.field,
      jobIdError: 400,
      loginMethods: ["get", "post-json"],
    });
    expect(config).toMatchObject({
      listen: { host: "::1", port: 9000 },
      policy: { openpi: { host: "127.0.0.1", port: 9001 }, corobot: undefined },
      ...{ recordings: undefined, publicUrl: "wss://x.org/api/challenge/tunnel" },
    });
  });

  it("takes one port on two addresses, and any free one twice", () => {
    const free = `listen: 127.0.0.1:0\npolicy: {openpi: 0, corobot: 0}\n${BOARD}`;
    expect(load(free).policy).toMatchObject({ openpi: { port: 0 }, corobot: { port: 0 } });
    const two = `listen: 127.0.0.1:8700\npolicy: {openpi: "[::1]:8700"}\n${BOARD}`;
    expect(load(two).policy.openpi).toEqual({ host: "::1", port: 8700 });
  });

  it("with CRLF, a byte order mark and an absolute path is read the same", () => {
    const text = `data_folder: ${JSON.stringify(join(folder(), "else"))}\n${BOARD}`;
    expect(load(`\ufeff${text.replaceAll("\n", "\r\n")}`)).toEqual(load(text));
    expect(load(text).dataFolder).toBe(join(folder(), "else"));
  });

  it("that is not there, a folder, no text or far too large is said to be so", () => {
    expect(() => loadGatewayConfig(join(folder(), "none.yaml"))).toThrow(
      /There is no configuration of a gateway/,
    );
    mkdirSync(join(folder(), "dir.yaml"));
    expect(() => loadGatewayConfig(join(folder(), "dir.yaml"))).toThrow(/cannot be read: it is a folder/);
    const garbage = refuse(Buffer.from([0xff, 0xfe, 0x00]));
    expect(garbage.code).toBe("file_unreadable");
    expect(garbage.message).toMatch(/it is no UTF-8 text\.$/);
    expect(refuse(`# ${"x".repeat(1_100_000)}`).message).toContain("larger than 1 MB");
  });
});
