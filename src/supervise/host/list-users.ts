import type { GatewayConfig } from "../../gateway/config/gateway-config.ts";
import { listUsers } from "../../gateway/records/users.ts";
import { makeUserDocument } from "./find-user.ts";
import { readRecords } from "./open-data.ts";

export type UserDocument = ReturnType<typeof makeUserDocument>;

/** In the order in which they were added; limits that are null are those of the configuration. */
export async function loadUsers({ dataFolder }: GatewayConfig): Promise<UserDocument[]> {
  return (await readRecords(dataFolder, listUsers, () => [])).map(makeUserDocument);
}
