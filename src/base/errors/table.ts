import { agentErrors } from "./agent.ts";
import { challengeErrors } from "./challenge.ts";
import { configErrors } from "./config.ts";
import { contestErrors } from "./contest.ts";
import type { ErrorRow } from "./define.ts";
import { environmentErrors } from "./environments.ts";
import { fleetErrors } from "./fleet.ts";
import { gatewayErrors } from "./gateway.ts";
import { generalErrors } from "./general.ts";
import { gpusErrors } from "./gpus.ts";
import { handlersErrors } from "./handlers.ts";
import { hostingErrors } from "./hosting.ts";
import { metricsErrors } from "./metrics.ts";
import { modalErrors } from "./modal.ts";
import { notifyErrors } from "./notify.ts";
import { payloadErrors } from "./payload.ts";
import { recordingErrors } from "./recording.ts";
import { rehearseErrors } from "./rehearse.ts";
import { rentErrors } from "./rent.ts";
import { runErrors } from "./runs.ts";
import { sshErrors } from "./ssh.ts";
import { storeErrors } from "./store.ts";
import { syncErrors } from "./sync.ts";
import { tunnelErrors } from "./tunnel.ts";
import { vastErrors } from "./vast.ts";
import { wandbErrors } from "./wandb.ts";
import { wireErrors } from "./wire.ts";

/** Every error that Sortie can end with, one row a code; the documents are made from it. */
export const errorTable = {
  ...generalErrors,
  ...storeErrors,
  ...configErrors,
  ...gpusErrors,
  ...sshErrors,
  ...syncErrors,
  ...environmentErrors,
  ...runErrors,
  ...rentErrors,
  ...metricsErrors,
  ...notifyErrors,
  ...wandbErrors,
  ...modalErrors,
  ...vastErrors,
  ...wireErrors,
  ...payloadErrors,
  ...recordingErrors,
  ...rehearseErrors,
  ...challengeErrors,
  ...contestErrors,
  ...fleetErrors,
  ...gatewayErrors,
  ...hostingErrors,
  ...handlersErrors,
  ...tunnelErrors,
  ...agentErrors,
};

export type ErrorCode = keyof typeof errorTable;

export function findErrorRow(code: ErrorCode): ErrorRow {
  return errorTable[code];
}
