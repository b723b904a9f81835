/**
 * The steps of a machine's life, in order. What each will leave behind is on record before it begins, so that a crash after any
 * of them is settled by whoever comes next: no machine that nobody knows, none rented twice, none destroyed with results missing.
 */
export const RENT_STEPS = ["plan_used", "rent_intended", "created", "ready"] as const;

/** The steps at its end. */
export const TEARDOWN_STEPS = ["destroy_intended", "destroyed", "gone"] as const;

export type RentStep = (typeof RENT_STEPS)[number] | (typeof TEARDOWN_STEPS)[number];

/** Called right after a step, when what it leaves is on record. */
export type OnRentStep = (step: RentStep) => void;
