import { makePrintable } from "../../base/printable.ts";
import type { SendFile, SendList } from "./send-list.ts";

const NAMED = 3;

/** A note on the links that lead out of the project: on the host they lead to what lies there, or nowhere. */
export function noteLinks({ files }: SendList): string[] {
  const leading = files.filter(leadsOut);
  if (leading.length === 0) return [];
  const named = leading.slice(0, NAMED).map(({ path, link }) => makePrintable(`${path} -> ${link}`));
  const more = leading.length > NAMED ? `, and ${leading.length - NAMED} more` : "";
  return [
    `Links that lead out of the project are sent as links, without what they lead to: ${named.join(", ")}${more}.`,
  ];
}

/** Read from the texts alone: an absolute target is another place on the host, also where it lies in the project here. */
function leadsOut({ path, link }: SendFile): boolean {
  if (link === null) return false;
  const target = link.toString();
  if (target.startsWith("/")) return true;
  let depth = path.toString().split("/").length - 1;
  for (const part of target.split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "" && part !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
