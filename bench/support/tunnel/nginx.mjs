import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHop } from "./processes.mjs";

const MODULE = "ngx_stream_module.so";

/** nginx goes to the background when it listens, and takes its pid file away when it ends. */
const SCRIPT = `nginx -c "$1" && echo '{}' && cat >/dev/null
kill "$(cat "$2")" && while [ -e "$2" ]; do sleep 0.05; done`;

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
  const place = (name) => join(folder, name);
  const port = await findFreePort();
  writeFileSync(place("nginx.conf"), makeConfig({ port, targetPort, place }));
  const hop = await startHop(["sh", "-c", SCRIPT, "sh", place("nginx.conf"), place("nginx.pid")]);
  const stop = async () => {
    await hop.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...hop, port, stop };
}

function readBuild() {
  const { error, stderr } = spawnSync("nginx", ["-V"], { encoding: "utf8" });
  return error === undefined ? stderr : undefined;
}

function makeConfig({ port, targetPort, place }) {
  const modules = /--modules-path=(\S+)/.exec(readBuild())?.[1];
  const isLoaded = !readBuild().includes("--with-stream=dynamic");
  return `${isLoaded ? "" : `load_module ${join(modules, MODULE)};`}
pid ${place("nginx.pid")}; error_log ${place("error.log")} warn; worker_processes 1;
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
