import { existsSync, rmSync, writeFileSync } from "node:fs";
import { hasProgram, runQuiet, runShown } from "./checkout.mjs";

/** Programs that tests run against, and the Debian package that brings each. */
const programs = {
  busybox: "busybox",
  fish: "fish",
  git: "git",
  nginx: "nginx",
  openssl: "openssl",
  ps: "procps",
  rsync: "rsync",
  script: "bsdutils",
  screen: "screen",
  setsid: "util-linux",
  shellcheck: "shellcheck",
  ssh: "openssh-client",
  "/usr/sbin/sshd": "openssh-server",
  tcsh: "tcsh",
  zsh: "zsh",
};

/** Asked by Debian's packages whether a service may be started: 101 says no. */
const POLICY = "/usr/sbin/policy-rc.d";

export const isDebianRoot = existsSync("/etc/debian_version") && process.getuid?.() === 0;

/** Says what the tests want of the system and is missing; installs it on Debian as root. What stays missing, tests skip. */
export async function installDebianPackages({ allowed }) {
  const missing = Object.keys(programs).filter((name) => !hasProgram(name));
  if (missing.length === 0) return console.log("system: every program that the tests use is here");
  const packages = [...new Set(missing.map((name) => programs[name]))];
  if (!isDebianRoot || !allowed) {
    const why = allowed
      ? "only root on Debian can install it here"
      : "SORTIE_TEST_INSTALL=0 forbids installing";
    return console.log(`system: missing ${missing.join(", ")}; ${why}, so some tests will be skipped`);
  }
  console.log(
    `system: will install the Debian packages ${packages.join(", ")}; no service of theirs is started`,
  );
  const letServicesStart = keepServicesDown();
  try {
    await install(packages);
  } finally {
    letServicesStart();
  }
}

/** Some of the packages bring a server, which Debian starts at once where nothing says otherwise. What undoes that. */
function keepServicesDown() {
  if (existsSync(POLICY)) return () => undefined; // the machine has its own mind about it
  writeFileSync(POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  return () => rmSync(POLICY, { force: true });
}

async function install(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const command = ["apt-get", "install", "-y", "--no-install-recommends", ...packages];
  // Package lists may be missing or old: then, and only then, they are loaded first.
  if (runQuiet(command, env).ok) return console.log("system: installed");
  if (!(await runShown(["apt-get", "update", "-q"], { env })) || !(await runShown(command, { env }))) {
    console.log("system: apt-get failed, see above; some tests will be skipped");
  }
}
