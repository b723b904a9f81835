export type Json = Record<string, unknown>;

/** What a call is answered with. A text is sent as plain text. */
export interface Answer {
  readonly status: number;
  readonly body: Json | readonly Json[] | string;
}

export function succeed(more: Json = {}): Answer {
  return { status: 200, body: { success: true, ...more } };
}

/** As the vendor writes most of its errors. */
export function refuse(status: number, error: string, msg: string): Answer {
  return { status, body: { success: false, error, msg } };
}
