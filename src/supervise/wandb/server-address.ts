import { SortieError } from "../../base/error.ts";

export const PUBLIC_URL = "https://api.wandb.ai";

/** Where a run is sent to or asked about now: to the server that is set, else to the one that it was planned for. @throws value_bad */
export function chooseRunUrl(
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
  { url }: { readonly url: string },
): string {
  return env["WANDB_BASE_URL"] ? chooseUrl(env["WANDB_BASE_URL"]) : url;
}

/** The address of W&B's server: the one that is set, else the public one. @throws value_bad */
export function chooseUrl(set: string | undefined): string {
  if (!set) return PUBLIC_URL;
  const url = URL.canParse(set) ? new URL(set) : null;
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  if (isAddress) return set.replace(/\/+$/, "");
  throw new SortieError("value_bad", {
    what: "WANDB_BASE_URL",
    value: "an address of a server",
    reason: "it is none, or names a user",
    advice: "Write it as https://HOST, without a key in it.",
  });
}
