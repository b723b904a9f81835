import type { FastifyRequest } from "fastify";
import { isNearPeer } from "../policy-port/near-peer.ts";
import { findSimulatorBoard } from "../records/simulator-keys.ts";
import type { ApiHost } from "./api-host.ts";
import type { ApiServer } from "./api-server.ts";
import { Refusal } from "./refusal.ts";

const BOARDS = "boardsOfSimulator";

/** What a route of simulators adds to its schema, for the OpenAPI document. */
export const simulatorSecurity = [{ simulator: [] }];

/** Makes the hook that lets only simulators pass, before anything of the body is read. Called once a server. */
export function makeSimulatorGate(app: ApiServer, host: ApiHost) {
  app.decorateRequest(BOARDS);
  return async (request: FastifyRequest): Promise<void> => {
    request.setDecorator(BOARDS, findBoards(host, request));
  };
}

/** The boards that the simulator may serve, behind the gate. */
export function getBoards(request: FastifyRequest): string[] {
  return request.getDecorator<string[]>(BOARDS);
}

/**
 * That of its key; without one, where simulators on this machine need none, all that are played from outside. A wrong key is
 * refused even there.
 */
function findBoards(
  { records, config, openSimulators }: ApiHost,
  { headers, raw }: FastifyRequest,
): string[] {
  const { authorization } = headers;
  if (authorization === undefined && openSimulators && isNearPeer(raw))
    return config.boards.filter(({ simulator }) => simulator === "outside").map(({ name }) => name);
  const key = /^Api-Key +(\S+) *$/i.exec(authorization ?? "")?.[1];
  if (key === undefined) throw new Refusal(401, "there is no Authorization: Api-Key KEY");
  const board = findSimulatorBoard(records, key);
  if (board === undefined) throw new Refusal(401, "the key is none of this gateway, or was revoked");
  return [board];
}
