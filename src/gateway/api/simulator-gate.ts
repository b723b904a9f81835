import type { FastifyRequest } from "fastify";
import { isNearPeer } from "../policy-port/near-peer.ts";
import { findBoardOfRevoked, findSimulatorBoard } from "../records/simulator-keys.ts";
import type { ApiHost } from "./api-host.ts";
import type { ApiServer } from "./api-server.ts";
import { Refusal } from "./refusal.ts";

const BOARDS = "boardsOfSimulator";

/** What a route of simulators adds to its schema, for the OpenAPI document. */
export const simulatorSecurity = [{ simulator: [] }];

/**
 * Makes the hooks that let only simulators pass, before anything of the body is read. `late` also takes a key that was revoked,
 * for the case in the path, where it was begun before. Called once a server.
 */
export function makeSimulatorGate(app: ApiServer, host: ApiHost) {
  app.decorateRequest(BOARDS);
  return {
    async now(request: FastifyRequest): Promise<void> {
      request.setDecorator(BOARDS, findBoards(host, request));
    },
    async late(request: FastifyRequest): Promise<void> {
      const board = findBoardOfLate(host, request);
      request.setDecorator(BOARDS, board === undefined ? findBoards(host, request) : [board]);
    },
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
  const key = readKey(authorization);
  if (key === undefined) throw new Refusal(401, "there is no Authorization: Api-Key KEY");
  const board = findSimulatorBoard(records, key);
  if (board === undefined) throw new Refusal(401, "the key is none of this gateway, or was revoked");
  return [board];
}

function findBoardOfLate({ records }: ApiHost, { headers, params }: FastifyRequest): string | undefined {
  const key = readKey(headers.authorization);
  const id = readCaseId((params as { readonly id: string }).id);
  return key === undefined || id === undefined ? undefined : findBoardOfRevoked(records, key, id);
}

function readKey(authorization: string | undefined): string | undefined {
  return /^Api-Key +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

/** The number of a case in a path; undefined: it is none. */
export function readCaseId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
