import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHop } from "./processes.mjs";

const MODULE = "ngx_stream_module.so";

/**
 * nginx goes to the background when it listens, and takes its pid file away when it ends. The shell stays, and ends it
 * when its input ends: by `stop`, by the end of this process, or by Ctrl-C, which the shell itself does not heed.
 */
const SCRIPT = `trap '' INT TERM HUP
cd "$1" && nginx -c "$1/nginx.conf" && echo '{}' && cat >/dev/null
kill "$(cat nginx.pid)" && while [ -e nginx.pid ]; do sleep 0.05; done
rm -r "$1"`;

/** What is missing for nginx to relay a stream, in words and with what to do; undefined where nothing is. */
export function findNginxFault() {
  const built = readBuild();
  if (built === undefined)
    return "nginx is not installed. On Debian: apt-get install nginx libnginx-mod-stream";
  if (!built.includes("--with-stream")) return "This nginx was built without its stream module.";
  return undefined;
}

/** nginx with one worker as a relay of TCP to a port of this machine, with its own defaults. */
export async function startNginx(targetPort) {
  const folder = mkdtempSync(join(tmpdir(), "sortie-bench-nginx-"));
  const port = await findFreePort();
  writeFileSync(join(folder, "nginx.conf"), makeConfig({ port, targetPort, folder }));
  return { ...(await startHop(["sh", "-c", SCRIPT, "sh", folder])), port };
}

function readBuild() {
  const { error, stderr } = spawnSync("nginx", ["-V"], { encoding: "utf8" });
  return error === undefined ? stderr : undefined;
}

function makeConfig({ port, targetPort, folder }) {
  const built = readBuild();
  const modules = /--modules-path=(\S+)/.exec(built)?.[1];
  const load = built.includes("--with-stream=dynamic") ? `load_module ${join(modules, MODULE)};` : "";
  return `${load}
pid ${folder}/nginx.pid; error_log ${folder}/error.log warn; worker_processes 1;
events { worker_connections 64; }
stream { server { listen 127.0.0.1:${port}; proxy_pass 127.0.0.1:${targetPort}; tcp_nodelay on; } }
`;
}

async function findFreePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
