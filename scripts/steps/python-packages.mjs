import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkout, giveUp, runShown } from "./checkout.mjs";

/**
 * Packages for tests against other people's Python programs: uv runs the agent's Python door as its users do; the others
 * are simulators' clients. openpi-client needs typing_extensions and does not say so. PyYAML is the truth for the hash of
 * an environment's specification, modal for what is rendered for it; wandb is what instrumented scripts log to. vastai shows
 * that the double of Vast.ai speaks the vendor's API: in this version, since what it asks for is what the double knows.
 */
const packages = [
  "uv",
  "openpi-client",
  "typing_extensions",
  "websockets",
  "msgpack",
  "pyyaml",
  "modal",
  "wandb",
  "vastai==1.9.1",
];

/** Installs them into .venv, which nothing but the tests uses. */
export async function installPythonPackages({ allowed }) {
  if (packages.length === 0 || !allowed) return;
  const python = join(checkout, ".venv", "bin", "python");
  console.log(`python: will install ${packages.join(", ")} into .venv`);
  const made = existsSync(python) || (await runShown(["python3", "-m", "venv", ".venv"]));
  const installed = made && (await runShown([python, "-m", "pip", "install", "--quiet", ...packages]));
  if (!installed)
    giveUp(
      "the Python packages could not be installed: see above.",
      "Check the network, then again: npm test",
      5,
    );
}
