import { connect } from "node:net";
import { runQuiet, runToExit } from "./checkout.mjs";

/** An address that is kept free for documents: nothing answers there, anywhere. */
const OUTSIDE = { host: "192.0.2.1", port: 80 };
const DIAL_TIMEOUT_MS = 2_000;

/**
 * Runs the script again in a network namespace where only the loopback interface is up, and ends with its exit code.
 * Returns, with the reason, where that is refused (an unprivileged container, another system than Linux).
 */
export async function enterWithoutNetwork(script) {
  const unshare = ["unshare", process.getuid?.() === 0 ? "-n" : "-rn"];
  const tried = runQuiet([...unshare, "python3", "scripts/steps/raise_loopback.py"]);
  if (!tried.ok) return tried.output.trim().split("\n").at(-1);
  process.exit(await runToExit([...unshare, process.execPath, script, "--without-network"]));
}

/** In the namespace: switches loopback on, and makes sure that a dial outside is refused at once. */
export async function proveNoNetwork() {
  const raised = runQuiet(["python3", "scripts/steps/raise_loopback.py"]);
  if (!raised.ok) return { ok: false, output: raised.output };
  const answer = await dialOutside();
  return {
    ok: answer === "ENETUNREACH",
    output: `a dial of ${OUTSIDE.host} ended with ${answer}, not ENETUNREACH\n`,
  };
}

function dialOutside() {
  return new Promise((resolve) => {
    const socket = connect(OUTSIDE);
    const finish = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(DIAL_TIMEOUT_MS, () => finish("no answer"));
    socket.on("connect", () => finish("a connection"));
    socket.on("error", (error) => finish(error.code));
  });
}
