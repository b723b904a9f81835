import { expect, it } from "vitest";
import { explainRefusal, makeSilentSsh } from "./person-git.ts";

it.each([
  [{}, "", "ssh -o BatchMode=yes"],
  [{}, "ssh -i ~/.ssh/work", "ssh -i ~/.ssh/work -o BatchMode=yes"],
  [{ GIT_SSH_COMMAND: "/usr/bin/ssh -v" }, "ssh -i other", "/usr/bin/ssh -v -o BatchMode=yes"],
  [{ GIT_SSH: "/opt/my ssh/ssh" }, "", "'/opt/my ssh/ssh' -o BatchMode=yes"],
  [{ GIT_SSH: "/opt/plink" }, "", null],
  [{ GIT_SSH_COMMAND: "my-ssh-wrapper" }, "", null],
])("with %j and '%s' ssh is '%s'", (env, configured, expected) => {
  expect(makeSilentSsh(env, configured)).toBe(expected);
});

const ended = { exitCode: 1, signal: null, stdout: "", stderr: "", timedOut: false, notStarted: false };

it.each([
  [
    { stderr: "remote: no big files\nremote: \nTo /x\n ! [remote rejected] a -> b (declined)" },
    "no big files",
  ],
  [{ stderr: "fatal: unable to access 'https://me:s3cret@h/r': refused" }, "unable to access 'https://h/r'"],
  [{ timedOut: true }, "it took too long"],
  [{ notStarted: true, stderr: "spawn git ENOENT" }, "git is not installed"],
  [{ notStarted: true, stderr: "it was called off before its start" }, "called off"],
  [{}, "git ended with code 1"],
])("explains %j", (part, expected) => {
  const reason = explainRefusal({ ...ended, ...part });
  expect(reason).toContain(expected);
  expect(reason).not.toContain("s3cret");
});
