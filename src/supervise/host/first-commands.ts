import { quoteCommand } from "../../base/quote.ts";
import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";

export interface FirstCommand {
  readonly what: string;
  readonly command: string;
}

const EMAIL = "me@example.org";

/** The first three commands that one types, ready for a POSIX shell. No secret is written out in them, nor an argument. */
export function makeFirstCommands({ file, boards }: GatewayConfig, apiUrl: string): FirstCommand[] {
  const add = quoteCommand(["sortie", "gateway", "user", "add", EMAIL, "--yes", "--config", file]);
  const login = quoteCommand(["sortie", "challenge", "login", "--base-url", apiUrl, "--email", EMAIL]);
  const job = ["--board", boards[0]?.name ?? "", "--model-name", "my-model", "--yes"];
  return [
    {
      what: "make a user",
      command: `export SORTIE_USER_PASSWORD="$(od -An -N12 -tx1 /dev/urandom | tr -d ' \\n')"; ${add}`,
    },
    { what: "log in", command: `CHALLENGE_PASSWORD="$SORTIE_USER_PASSWORD" ${login}` },
    { what: "submit", command: quoteCommand(["sortie", "challenge", "submit", ...job]) },
  ];
}
