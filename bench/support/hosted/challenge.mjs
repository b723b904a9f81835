import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHop } from "../tunnel/processes.mjs";
import { SORTIE } from "../workspace.mjs";

const EMAIL = "bench@example.org";
const PASSWORD = "correct horse battery";

/** A job's agents at once; of a configuration the most. */
const MOST_AGENTS = 10_000;

/**
 * The gateway runs beside the shell, which ends it and takes its folder away when its own input ends: by `stop`, by the end
 * of this process, or by Ctrl-C, which the shell itself does not heed.
 */
const SCRIPT = `trap '' INT TERM HUP
folder=$1; shift
cd "$folder" || exit
(trap - INT TERM HUP; exec "$@" </dev/null 2>gateway.log) &
gateway=$!
cat >/dev/null
kill "$gateway" 2>/dev/null; wait "$gateway"
rm -r "$folder"`;

/**
 * The built `sortie gateway` in a folder of its own, with a user who is logged in. `said`: what it printed, as
 * {api, tunnel, policy, pid}; `submit(board)` resolves with the reply of the API; `get(path)` with one, parsed.
 */
export async function startChallenge(values) {
  const folder = mkdtempSync(join(tmpdir(), "sortie-bench-gateway-"));
  const env = {
    ...process.env,
    HOME: folder,
    SORTIE_HOME: join(folder, "home"),
    SORTIE_USER_PASSWORD: PASSWORD,
  };
  writeFileSync(join(folder, "gateway.yaml"), JSON.stringify(makeConfig(values)));
  addUser(folder, env);
  const flags = ["gateway", "--json", "--grace", "0s", "--open-simulators"];
  const hop = await startHop(["sh", "-c", SCRIPT, "sh", folder, ...SORTIE, ...flags], { env });
  const said = hop.said.gateway;
  const call = async (path, init) => (await fetch(`${said.api}/api${path}`, init)).json();
  const post = (path, body, headers) =>
    call(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const { token } = await post("/challenge/login", { email: EMAIL, password: PASSWORD });
  const login = { Authorization: `Bearer ${token}` };
  return {
    ...{ said, login, stop: hop.stop },
    submit: (board) =>
      post("/challenge/job", { name: "bench", config: { board, model_name: "bench" } }, login),
    metrics: async () => (await fetch(`${said.api}/metrics`)).text(),
  };
}

/** A board whose one case a simulator of the benchmark plays. */
export function makeOutsideBoard() {
  return { simulator: "outside", payload: "opaque", tasks: { task: { cases: 1, seed: 1 } } };
}

function makeConfig(values) {
  return {
    ...{ listen: "127.0.0.1:0", policy: { openpi: "off", corobot: "127.0.0.1:0" } },
    ...{ parallelism: MOST_AGENTS, recordings: "off", quota: { jobs_per_day: 1_000 }, ...values },
  };
}

function addUser(folder, env) {
  const [program, ...args] = [...SORTIE, "gateway", "user", "add", EMAIL, "--yes"];
  const { status, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`no user could be added: ${stderr}`);
}
