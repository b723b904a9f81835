import { readInstance, type VastInstance } from "../instance.ts";
import { makeUnreadable, needList, needRow, readText } from "../read-value.ts";
import type { Caller } from "./caller.ts";
import { isInstanceGone } from "./judge-reply.ts";

/** The vendor gives no more rows at once. */
const PAGE_ROWS = 25;
/** 10,000 rows: more than any account holds. */
const MOST_PAGES = 400;

/** Null only where the vendor says that there is none: a reply without the key `instances` is an error. */
export async function loadInstance(caller: Caller, id: number): Promise<VastInstance | null> {
  const call = `show instance ${id}`;
  try {
    const reply = await caller.ask({ call, method: "GET", path: `/api/v0/instances/${id}/?owner=me` });
    const row = needRow(reply, `the reply to \`${call}\``)["instances"];
    if (row === null) return null;
    if (row === undefined) throw makeUnreadable(`\`instances\` of the reply to \`${call}\` is missing`);
    const instance = readInstance(row);
    if (instance.id !== id) throw makeUnreadable(`the reply to \`${call}\` is about instance ${instance.id}`);
    return instance;
  } catch (thrown) {
    if (isInstanceGone(thrown)) return null;
    throw thrown;
  }
}

/** Page after page, by id. */
export async function listInstances(caller: Caller): Promise<VastInstance[]> {
  const call = "show instances";
  const instances: VastInstance[] = [];
  const order = JSON.stringify([{ col: "id", dir: "asc" }]);
  const tokens = new Set<string>();
  let token: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ select_filters: "{}", order_by: order, limit: String(PAGE_ROWS) });
    if (token !== null) query.set("after_token", token);
    const reply = await caller.ask({ call, method: "GET", path: `/api/v1/instances/?${query}` });
    const row = needRow(reply, `the reply to \`${call}\``);
    instances.push(
      ...needList(row["instances"], `\`instances\` of the reply to \`${call}\``).map(readInstance),
    );
    token = readText(row["next_token"]);
    if (token === null) return instances;
    if (tokens.has(token)) break; // the same page again and again
    tokens.add(token);
  }
  throw makeUnreadable(`the reply to \`${call}\` has no end`);
}
