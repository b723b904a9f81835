import { quoteCommand, quoteShell } from "../../base/quote.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";

export interface FirstCommand {
  readonly what: string;
  readonly command: string;
}

const EMAIL = "me@example.org";

/** The first three commands that one types, ready for a POSIX shell. No secret is written out in them, nor an argument. */
export function makeFirstCommands({ file, boards }: GatewayConfig, apiUrl: string): FirstCommand[] {
  const post = (path: string) =>
    `curl -sS ${quoteShell(`${apiUrl}/api/challenge/${path}`)} -H 'Content-Type: application/json'`;
  const add = quoteCommand(["sortie", "gateway", "user", "add", EMAIL, "--yes", "--config", file]);
  const login = `{"email":"${EMAIL}","password":"%s"}`;
  const job = { name: "first", config: { board: boards[0]?.name ?? "", model_name: "my-model" } };
  return [
    {
      what: "make a user",
      command: `export SORTIE_USER_PASSWORD="$(od -An -N12 -tx1 /dev/urandom | tr -d ' \\n')"; ${add}`,
    },
    {
      what: "log in",
      command: `export CHALLENGE_TOKEN="$(printf '${login}' "$SORTIE_USER_PASSWORD" | ${post("login")} -d @- | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')"`,
    },
    {
      what: "submit",
      command: `printf 'Authorization: Bearer %s' "$CHALLENGE_TOKEN" | ${post("job")} -H @- -d ${quoteShell(JSON.stringify(job))}`,
    },
  ];
}
