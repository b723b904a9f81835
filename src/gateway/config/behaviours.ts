import { type GatewayFlags, gatewayFlags, platformFlags } from "../gateway-flags.ts";

/** In which the API of the platform differed over time and between documents (PROTOCOL 1.2 and 5). */
export interface ApiFlags {
  /** The status of the refusal of a job id that is no number. */
  readonly jobIdError: 400 | 500;
  /** `old`: words on `/result`, page size as `per_page`, the log inline. `new`: integers and `detailed_status` on `/jobs`. */
  readonly statusStyle: "old" | "new";
  /** Of a task's and of a result's `total`; `old` documents sum both, `new` ones average a task. */
  readonly totalStyle: "sum" | "mean";
  readonly loginMethods: readonly LoginMethod[];
  /** Whether the reply to a job carries a `job_token`. */
  readonly jobToken: boolean;
  /** What the uuid of a job is called in `/jobs`. */
  readonly uuidKey: "uuid" | "job_uuid";
  /** Whether there are videos. */
  readonly videos: boolean;
}

export type LoginMethod = "post-json" | "get";

export type BehaviourName = "sortie" | "old" | "new" | "field";

type Flags = GatewayFlags & ApiFlags;

const sortie: Flags = {
  ...gatewayFlags,
  jobIdError: 400,
  statusStyle: "new",
  totalStyle: "mean",
  loginMethods: ["post-json"],
  jobToken: true,
  uuidKey: "uuid",
  videos: true,
};

/** What a contestant may meet: our best, or the platform as it was documented first, later, and seen in the field. */
export const behaviours: Readonly<Record<BehaviourName, Flags>> = {
  sortie,
  old: {
    ...sortie,
    ...platformFlags,
    emitQueued: false,
    statusStyle: "old",
    totalStyle: "sum",
    loginMethods: ["get", "post-json"],
    jobToken: false,
    videos: false,
  },
  new: { ...sortie, ...platformFlags, totalStyle: "sum" },
  field: { ...sortie, ...platformFlags, jobIdError: 500, uuidKey: "job_uuid", videos: false },
};
