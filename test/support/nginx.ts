import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { CHECKOUT } from "./contestant.ts";
import { findTool } from "./shells.ts";
import { waitFor } from "./wait-for.ts";

/** Where Debian puts it is not on everybody's PATH. */
const NGINX = findTool("nginx") ?? "/usr/sbin/nginx";

/** A certificate for 127.0.0.1 that signs itself, in a folder: `site.crt` and `site.key`. */
export function makeCertificate(folder: string): { readonly file: string; readonly text: string } {
  const [file, key] = [join(folder, "site.crt"), join(folder, "site.key")];
  const made = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", ...made, ...name, "-keyout", key, "-out", file], { stdio: "pipe" });
  return { file, text: readFileSync(file, "utf8") };
}

/** The nginx configuration of docs/hosting.md, with these ports and the certificate of its folder instead of the page's. */
export function readDocumentedConfig(ports: { readonly nginx: number; readonly gateway: number }): string {
  const page = readFileSync(join(CHECKOUT, "docs", "hosting.md"), "utf8");
  const [, config = ""] = /```nginx\n(.*?)```/s.exec(page) ?? [];
  return [
    ["listen 443 ssl;", `listen 127.0.0.1:${ports.nginx} ssl;`],
    ["http://127.0.0.1:8700;", `http://127.0.0.1:${ports.gateway};`],
    ["/etc/ssl/challenge.example.org.crt", "site.crt"],
    ["/etc/ssl/private/challenge.example.org.key", "site.key"],
  ].reduce((text, [documented = "", own = ""]) => {
    if (!text.includes(documented)) throw new Error(`docs/hosting.md has no "${documented}" any more`);
    return text.replaceAll(documented, own);
  }, config);
}

export function hasNginx(): boolean {
  return existsSync(NGINX);
}

/** nginx with a configuration that listens on this port, in a folder and as a child of this process; it ends with the test. */
export async function startNginx(folder: string, port: number, config: string): Promise<void> {
  for (const name of ["body", "proxy", "fastcgi", "uwsgi", "scgi"]) mkdirSync(join(folder, `temp-${name}`));
  writeFileSync(join(folder, "site.conf"), config);
  writeFileSync(join(folder, "nginx.conf"), makeMainConfig());
  const child = spawn(NGINX, ["-e", "error.log", "-p", `${folder}/`, "-c", "nginx.conf"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const ended = once(child, "exit").then(() => {
    throw new Error(`nginx has ended: ${said}`);
  });
  ended.catch(() => undefined); // whoever waits for it is told
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended.catch(() => undefined);
  });
  await Promise.race([waitFor(() => canConnect(port), { what: "nginx" }), ended]);
}

/** A port that was free just now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Paths count from the folder; as root, workers stay root, since nobody else may look into it. */
function makeMainConfig(): string {
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const temps = ["client_body:body", "proxy:proxy", "fastcgi:fastcgi", "uwsgi:uwsgi", "scgi:scgi"]
    .map((pair) => pair.split(":"))
    .map(([name, folder]) => `${name}_temp_path temp-${folder};`);
  return `${user} daemon off; pid nginx.pid; worker_processes 1;
events { worker_connections 256; }
http { access_log off; ${temps.join(" ")} include site.conf; }
`;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
