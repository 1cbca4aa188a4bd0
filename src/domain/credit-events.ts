/** A row of the ledger. */
interface BalanceStep {
  credits_before: number;
  credits_after: number;
}

/** Whether the row may have written deliveries of events about credits: they are looked for then. `spec 22.1`, `spec 22.2` */
export const mayPublishCredits = (
  { credits_before, credits_after }: BalanceStep,
  thresholds: readonly number[],
): boolean => [0, ...thresholds].some((threshold) => credits_after <= threshold && threshold < credits_before);
