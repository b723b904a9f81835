/** What one instance has cost so far, or in the end. */
export interface LedgerEntry {
  readonly instance: number;
  readonly offer: number | null;
  readonly label: string | null;
  /** While it runs, with its storage. */
  readonly dollarsPerHour: number;
  readonly createdAt: Date;
  /** Null: it is still there, and paid for. */
  readonly destroyedAt: Date | null;
  readonly dollars: number;
}

/** From when on it costs how much an hour; the last one holds until the instance is gone. */
interface Rate {
  readonly fromMs: number;
  readonly dollarsPerHour: number;
}

/** The bill of one instance: storage from its creation on, the whole price while it is meant to run. */
export function openBill(createdMs: number, dollarsPerHour: number) {
  const rates: Rate[] = [{ fromMs: createdMs, dollarsPerHour }];
  return {
    setRate: (fromMs: number, perHour: number): void => {
      rates.push({ fromMs, dollarsPerHour: perHour });
    },
    /** Dollars until then. */
    sumUntil: (endMs: number): number =>
      rates.reduce((dollars, { fromMs, dollarsPerHour: perHour }, index) => {
        const untilMs = Math.min(rates[index + 1]?.fromMs ?? endMs, endMs);
        return dollars + (Math.max(0, untilMs - fromMs) / 3_600_000) * perHour;
      }, 0),
  };
}

export type Bill = ReturnType<typeof openBill>;
