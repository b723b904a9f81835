import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import type { ApiFlags } from "../config/behaviours.ts";

const DEFAULT_SIZE = 20;
const MOST = 100;

/** In the query of every list. The later documents spell the size with a hyphen, the first ones with an underscore. */
export const pagingFields = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: "From 1." })),
  "per-page": Type.Optional(
    Type.Integer({ minimum: 1, description: `At most ${MOST}; more count as ${MOST}.` }),
  ),
  per_page: Type.Optional(Type.Integer({ minimum: 1, description: "The older spelling." })),
};

export interface Page {
  readonly page: number;
  readonly size: number;
  /** Rows before the page. */
  readonly offset: number;
}

/** As on the platform, the spelling of other documents is passed over in silence. */
export function readPage(
  query: Static<TObject<typeof pagingFields>>,
  { statusStyle }: Pick<ApiFlags, "statusStyle">,
): Page {
  const asked = query["per-page"] ?? (statusStyle === "old" ? query.per_page : undefined);
  const size = Math.min(asked ?? DEFAULT_SIZE, MOST);
  const page = query.page ?? 1;
  return { page, size, offset: (page - 1) * size };
}

export function describePaged<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    page: Type.Integer(),
    per_page: Type.Integer(),
    total_pages: Type.Integer(),
  });
}

export function makePaged<Item>(items: Item[], total: number, { page, size }: Page) {
  return { items, total, page, per_page: size, total_pages: Math.ceil(total / size) };
}
