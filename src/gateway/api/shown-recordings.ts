import { SortieError } from "../../base/error.ts";
import { holdsHeadPicture } from "../recording/head-video.ts";
import type { ApiHost } from "./api-host.ts";

const MOST_KNOWN = 10_000;

/** Which recordings have pictures to show. A recording that has ended does not change, so each is looked at once. */
export class ShownRecordings {
  readonly #host: Pick<ApiHost, "findRecording" | "reportFault">;
  readonly #known = new Map<string, boolean>();

  constructor(host: Pick<ApiHost, "findRecording" | "reportFault">) {
    this.#host = host;
  }

  /** False also where the recording is gone, or was never made. */
  async hasPictures(recording: string | null): Promise<boolean> {
    const file = recording === null ? undefined : this.#host.findRecording(recording);
    if (recording === null || file === undefined) return false;
    const known = this.#known.get(recording);
    if (known !== undefined) return known;
    const found = await this.#look(file);
    if (found === undefined) return false;
    const [oldest = ""] = this.#known.keys();
    if (this.#known.size === MOST_KNOWN) this.#known.delete(oldest);
    this.#known.set(recording, found);
    return found;
  }

  async #look(file: string): Promise<boolean | undefined> {
    try {
      return await holdsHeadPicture(file);
    } catch (fault) {
      if (!(fault instanceof SortieError)) throw fault;
      this.#host.reportFault(fault);
      return false;
    }
  }
}
