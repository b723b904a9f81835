import { addFault, openBelow, readKey, type Section } from "./config-section.ts";
import type { BoardConfig, TaskConfig } from "./gateway-config.ts";
import { readChoice, readCount } from "./value-readers.ts";

const MOST_SEED = 2 ** 31 - 1;
const MOST_CASES = 1000;
const MOST_STEPS = 100_000;
const EXAMPLE = "write a board as `sortie gateway init` does";

const payloads = ["g2", "openpi", "opaque"] as const;
const simulators = ["reach", "echo", "outside"] as const;
const readSeed = readCount(0, MOST_SEED - MOST_CASES);
const readCases = readCount(1, MOST_CASES);

/** The boards in the order of the file. A board and a task of a board are keys: twice is a fault. */
export function readBoards(root: Section): BoardConfig[] {
  const boards = openBelow(root, "boards", undefined);
  if (boards.values.size === 0 && boards.faults.every(({ key }) => !key.startsWith("boards")))
    addFault(root, "boards", "is missing: there is nothing to submit to", EXAMPLE);
  return [...boards.values.keys()].map((name) => readBoard(boards, name));
}

function readBoard(boards: Section, name: string): BoardConfig {
  // It stands in addresses of the API.
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/.test(name))
    addFault(boards, name, "is no name of a board", "use at most 40 letters a-z, digits, - and _");
  const board = openBelow(boards, name, ["payload", "simulator", "steps", "tasks"]);
  const simulator = readKey(board, "simulator", readChoice(simulators), undefined);
  if ((board.values.get("simulator")?.kind ?? "nothing") === "nothing")
    addFault(board, "simulator", "is missing", "write reach, echo or outside");
  const payload = readKey(board, "payload", readChoice(payloads), "g2");
  if (payload !== "g2" && (simulator === "reach" || simulator === "echo"))
    addFault(
      board,
      "payload",
      `cannot be ${payload}: ${simulator} shows g2 observations`,
      "write g2, or nothing",
    );
  return {
    ...{ name, payload },
    simulator: simulator ?? "outside",
    steps: readKey(board, "steps", readCount(1, MOST_STEPS), 20),
    tasks: readTasks(board),
  };
}

function readTasks(board: Section): TaskConfig[] {
  const tasks = openBelow(board, "tasks", undefined);
  const isWrong = tasks.faults.some(({ key }) => key === tasks.path || key.startsWith(`${tasks.path}.`));
  if (tasks.values.size === 0 && !isWrong)
    addFault(board, "tasks", "is missing", "name at least one task, as in `left_shelf: {cases: 3, seed: 1}`");
  return [...tasks.values.keys()].map((name) => readTask(tasks, name));
}

/** `left_shelf: {cases: 3, seed: 1}`, or `left_shelf: 3` for its cases alone. */
function readTask(tasks: Section, name: string): TaskConfig {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(name))
    addFault(tasks, name, "is no name of a task", "use at most 100 letters, digits, blanks, dots, - and _");
  if (tasks.values.get(name)?.kind === "text")
    return { name, cases: readKey(tasks, name, readCases, 1), seed: 0 };
  const task = openBelow(tasks, name, ["cases", "seed"]);
  return { name, cases: readKey(task, "cases", readCases, 1), seed: readKey(task, "seed", readSeed, 0) };
}
