import type { Notice } from "../../notify/notice.ts";

/** Where notices are put in that wait to be sent. */
export interface News {
  /**
   * Puts a notice in, once for each channel, however often it is called, and by whom. It never throws: what cannot be told
   * must not stop what there is to tell. false: it was in already.
   */
  add(notice: Notice): boolean;
}
