import { SortieError } from "../../../base/error.ts";
import { needId, needRow } from "../read-value.ts";
import type { Caller } from "./caller.ts";

/** What to make of an offer. It gets sshd, reached directly and by the vendor's proxy, and the account's SSH keys. */
export interface InstanceWish {
  readonly image: string;
  readonly diskGb: number;
  /** By this it is found again where the reply is lost. */
  readonly label: string;
  readonly env: Readonly<Record<string, string>>;
  /** Run as root when the container starts. */
  readonly onstart: string | null;
}

/**
 * Sent once, whatever comes of it: a lost reply may mean an instance that costs money.
 * @throws SortieError `vast_offer_gone`, `vast_create_unsure`, and what every call may throw
 */
export async function createInstance(caller: Caller, offer: number, wish: InstanceWish): Promise<number> {
  const what = "the reply to `create instance`";
  try {
    const reply = await caller.askOnce({
      call: `create instance ${offer}`,
      method: "PUT",
      path: `/api/v0/asks/${offer}/`,
      body: makeBody(wish),
    });
    return needId(needRow(reply, what), "new_contract", what);
  } catch (thrown) {
    throw judgeFault(thrown, offer, wish.label);
  }
}

/** `cancel_unavail`: an error, rather than a stopped instance that costs its storage. */
function makeBody({ image, diskGb, label, env, onstart }: InstanceWish): Record<string, unknown> {
  return {
    client_id: "me",
    image,
    disk: diskGb,
    label,
    env,
    runtype: "ssh_direc ssh_proxy",
    target_state: "running",
    cancel_unavail: true,
    ...(onstart === null ? {} : { onstart }),
  };
}

function judgeFault(thrown: unknown, offer: number, label: string): unknown {
  if (!(thrown instanceof SortieError)) return thrown;
  const { said, vendorCode, instance } = thrown.details;
  if (isSurelyNotMade(thrown)) return thrown;
  if (thrown.code !== "vast_refused")
    return new SortieError("vast_create_unsure", { offer, label, reason: describeUnsure(thrown) });
  const isOfferGone = /no_such_ask/.test(`${vendorCode} ${said}`) && instance === null;
  return isOfferGone ? new SortieError("vast_offer_gone", { offer, said }) : thrown;
}

/** A request that never left, a key that is no good, and one that asked too often. */
function isSurelyNotMade({ code, details }: SortieError): boolean {
  if (code === "vast_login") return true;
  return code === "vast_away" && (details["isUnsent"] === true || details["status"] === 429);
}

function describeUnsure({ code, details, message }: SortieError): string {
  if (code === "interrupted") return "the call was interrupted";
  return String(details["reason"] ?? details["what"] ?? message);
}
