import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MODAL_PRICES, type ModalPrices, readPrices } from "../../targets/modal/prices.ts";
import type { Desk } from "../desk.ts";

/** The person's own prices, in Sortie's home folder. */
const PRICES_FILE = "modal-prices.yaml";

/** What Modal asks, as a person's own file says, else as Sortie knows it. @throws modal_prices_unreadable */
export function loadPrices({ home }: Pick<Desk, "home">): ModalPrices {
  const file = join(home.root, PRICES_FILE);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return MODAL_PRICES; // there is none
  }
  return readPrices(text, file);
}
