import { type BehaviourName, behaviours } from "./behaviours.ts";
import { openBelow, readKey, readListKey, type Section } from "./config-section.ts";
import type { GatewayConfig } from "./gateway-config.ts";
import { readChoice, readFlag, type ValueReader } from "./value-readers.ts";

/** The preset of `behaviour`, and single flags on top of it, by the names of the protocol. */
export function readFlags(root: Section): GatewayConfig["flags"] {
  const names = Object.keys(behaviours) as BehaviourName[];
  const preset = behaviours[readKey(root, "behaviour", readChoice(names), "sortie")];
  const flags = openBelow(root, "flags", Object.keys(preset));
  return {
    resendOnResume: readKey(flags, "resendOnResume", readFlag, preset.resendOnResume),
    sendResume: readKey(flags, "sendResume", readFlag, preset.sendResume),
    strictFrames: readKey(flags, "strictFrames", readFlag, preset.strictFrames),
    capScope: readKey(flags, "capScope", readChoice(["user", "job"]), preset.capScope),
    closeCodes: readKey(flags, "closeCodes", readChoice(["silent", "typed"]), preset.closeCodes),
    emitQueued: readKey(flags, "emitQueued", readFlag, preset.emitQueued),
    jobIdError: readKey(flags, "jobIdError", readStatus, preset.jobIdError),
    statusStyle: readKey(flags, "statusStyle", readChoice(["old", "new"]), preset.statusStyle),
    totalStyle: readKey(flags, "totalStyle", readChoice(["sum", "mean"]), preset.totalStyle),
    loginMethods: readListKey(flags, "loginMethods", readChoice(["post-json", "get"]), preset.loginMethods),
    jobToken: readKey(flags, "jobToken", readFlag, preset.jobToken),
    uuidKey: readKey(flags, "uuidKey", readChoice(["uuid", "job_uuid"]), preset.uuidKey),
    videos: readKey(flags, "videos", readFlag, preset.videos),
  };
}

const readStatus: ValueReader<400 | 500> = (text) => {
  const read = readChoice(["400", "500"])(text);
  return "value" in read ? { value: read.value === "400" ? 400 : 500 } : read;
};
