import type { CaseRun } from "./case-run.ts";
import type { PolicyRefusal, PolicyRequest } from "./policy-request.ts";

/** What is asked before a simulator is let in. */
export interface AdmissionHost {
  /** The board that a key opens. */
  findBoard(key: string): string | undefined;
  /** Whether simulators on this machine need no key. */
  readonly openSimulators: boolean;
  /** The boards that are played from outside. */
  readonly boards: readonly string[];
  /** undefined: there is no such case. */
  describeCase(id: number): DescribedCase | undefined;
}

export interface DescribedCase {
  readonly board: string;
  readonly state: "waiting" | "playing" | "over";
}

/** What the door itself knows of a case. */
export interface CaseHolders {
  /** Who plays it now. */
  findRun(caseId: number): CaseRun | undefined;
  /** Whether a simulator waits for it. */
  isAwaited(caseId: number): boolean;
}

export type Admission =
  | {
      readonly board: string;
      readonly caseId?: number;
      /** The case that the simulator goes on with. */
      readonly run?: CaseRun;
      readonly refusal?: undefined;
    }
  | { readonly refusal: PolicyRefusal };

/** Decides over a dial; `isNear`: it surely comes from this machine. */
export function admitSimulator(
  request: PolicyRequest,
  isNear: boolean,
  host: AdmissionHost,
  holders: CaseHolders,
): Admission {
  const board = chooseBoard(request, isNear, host);
  if (typeof board !== "string") return { refusal: board };
  if (!host.boards.includes(board)) return refuse(404, "there is no such board for simulators from outside");
  if (request.caseId === undefined) return { board };
  return admitToCase(request.caseId, board, host, holders);
}

function chooseBoard(request: PolicyRequest, isNear: boolean, host: AdmissionHost): string | PolicyRefusal {
  if (request.key !== undefined) return findKeyBoard(request.key, request.board, host);
  if (!host.openSimulators) return { status: 401, says: "a simulator needs `Authorization: Api-Key KEY`" };
  if (!isNear) return { status: 401, says: "from elsewhere than this machine a simulator needs a key" };
  const { caseId, board = caseId === undefined ? undefined : host.describeCase(caseId)?.board } = request;
  if (board !== undefined) return board;
  if (caseId !== undefined) return { status: 404, says: `there is no case ${caseId}` };
  const [only, ...others] = host.boards;
  if (only !== undefined && others.length === 0) return only;
  return { status: 400, says: `the query has to name a board: ${host.boards.join(", ")}` };
}

function findKeyBoard(key: string, wanted: string | undefined, host: AdmissionHost): string | PolicyRefusal {
  const board = key === "" ? undefined : host.findBoard(key);
  if (board === undefined) return { status: 401, says: "the key opens no board" };
  if (wanted === undefined || wanted === board) return board;
  return { status: 401, says: "the key opens another board than the query names" };
}

function admitToCase(caseId: number, board: string, host: AdmissionHost, holders: CaseHolders): Admission {
  const found = host.describeCase(caseId);
  if (found?.board !== board) return refuse(404, `there is no case ${caseId} of this board`);
  const run = holders.findRun(caseId);
  if (run?.isApart) return { board, caseId, run };
  if (found.state === "over") return refuse(409, `case ${caseId} is over`);
  if (found.state === "playing" || run !== undefined) return refuse(409, `case ${caseId} is being played`);
  if (holders.isAwaited(caseId)) return refuse(409, `another simulator waits for case ${caseId}`);
  return { board, caseId };
}

function refuse(status: PolicyRefusal["status"], says: string): Admission {
  return { refusal: { status, says } };
}
