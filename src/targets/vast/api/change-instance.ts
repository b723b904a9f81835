import { SortieError } from "../../../base/error.ts";
import type { Caller } from "./caller.ts";
import { isInstanceGone } from "./judge-reply.ts";

interface Change {
  readonly id: number;
  /** For people: `stop`. */
  readonly verb: string;
  readonly body: unknown;
}

/** Says what shall be; said twice it is the same. @throws SortieError `vast_instance_gone` */
export async function changeInstance(caller: Caller, { id, verb, body }: Change): Promise<void> {
  const call = `${verb} instance ${id}`;
  try {
    await caller.ask({ call, method: "PUT", path: `/api/v0/instances/${id}/`, body });
  } catch (thrown) {
    throw isInstanceGone(thrown) ? new SortieError("vast_instance_gone", { instance: id }) : thrown;
  }
}

/** Only asks for it: the vendor may say yes and keep the instance for a while. */
export async function destroyInstance(caller: Caller, id: number): Promise<void> {
  const call = `destroy instance ${id}`;
  try {
    await caller.ask({ call, method: "DELETE", path: `/api/v0/instances/${id}/`, body: {} });
  } catch (thrown) {
    if (!isInstanceGone(thrown)) throw thrown;
  }
}
