import type { Row, Store } from "../../store/store.ts";

/** What an organiser wants of the running gateway: it looks for orders every second, also for those given while it was down. */
export interface Order {
  readonly id: number;
  /** `cancel` a job; `requeue` a case; `dismiss` the jobs of a user who was deleted. */
  readonly kind: "cancel" | "requeue" | "dismiss";
  /** The number of the job, the case or the user. */
  readonly subject: number;
}

export function giveOrder(records: Store, kind: Order["kind"], subject: number, now: Date): number {
  return records.together(() => {
    records.change(
      "INSERT INTO orders (kind, subject, at) VALUES (?, ?, ?)",
      ...[kind, subject, now.toISOString()],
    );
    return records.find("SELECT MAX(id) AS id FROM orders")?.["id"] as number;
  });
}

export function listOpenOrders(records: Store): Order[] {
  return records
    .list("SELECT id, kind, subject FROM orders WHERE done_at IS NULL ORDER BY id")
    .map(readOrder);
}

/** `outcome` in words for the organiser. */
export function closeOrder(records: Store, id: number, outcome: string, now: Date): void {
  records.change(
    "UPDATE orders SET done_at = ?, outcome = ? WHERE id = ? AND done_at IS NULL",
    now.toISOString(),
    outcome,
    id,
  );
}

/** What became of an order; undefined while nobody has taken it. */
export function findOutcome(records: Store, id: number): string | undefined {
  const row = records.find("SELECT outcome FROM orders WHERE id = ?", id);
  return (row?.["outcome"] as string | null) ?? undefined;
}

function readOrder(row: Row): Order {
  return {
    id: row["id"] as number,
    kind: row["kind"] as Order["kind"],
    subject: row["subject"] as number,
  };
}
