import type { PolicyDialect } from "../config/gateway-config.ts";
import type { ConnectionEnd } from "./simulator-connection.ts";

/** What a door saw, for the log. `peer` is `203.0.113.7:50432`, or empty where the socket was gone already. */
export type PolicyDoorEvent = { readonly dialect: PolicyDialect; readonly peer: string } & (
  | { readonly type: "simulator_refused"; readonly status: number; readonly says: string }
  | {
      readonly type: "simulator_connected";
      readonly board: string;
      /** The case that it asked for. */
      readonly caseId?: number;
      /** It goes on with a case that it had left. */
      readonly resumed: boolean;
    }
  | ({ readonly type: "simulator_gone"; readonly board: string } & ConnectionEnd)
);
