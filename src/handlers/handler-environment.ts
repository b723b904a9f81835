import { isSecretName } from "../base/secret-name.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const AGENT_SECRETS = ["JOB_TOKEN", "CHALLENGE_TOKEN", "CHALLENGE_PASSWORD", "CHALLENGE_EMAIL"];

/**
 * The environment of a handler: without what the agent dials with, which no model needs. Other secrets stay, as the
 * token of a model hub. `gpu`: the UUID or index that it may see, or `cpu` for none.
 */
export function makeHandlerEnvironment(env: Environment, gpu?: string): Environment {
  const kept = Object.entries(env).filter(
    ([name]) => !AGENT_SECRETS.includes(name) && !(name.startsWith("SORTIE_") && isSecretName(name)),
  );
  if (gpu === undefined) return Object.fromEntries(kept);
  const pinned = { CUDA_DEVICE_ORDER: "PCI_BUS_ID", CUDA_VISIBLE_DEVICES: gpu === "cpu" ? "" : gpu };
  return { ...Object.fromEntries(kept), ...pinned };
}
