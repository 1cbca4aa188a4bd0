export const deliveryStatuses = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How a delivery ends. `gone`: its webhook was deleted. */
export type DeliveryEnd = Exclude<DeliveryStatus, 'pending'> | 'gone';

/** An attempt that has ended. */
interface EndedAttempt {
  started_at: Date;
  latency_ms: number;
}

/**
 * The time at which the next attempt at a pending delivery is due: after the delay of the schedule, counted from the end of the one
 * before. A request makes it earlier, and a setting that was changed since then does not count for it. Null where none is to come.
 */
export function nextAttemptAt(
  delivery: { status: DeliveryStatus; created_at: Date; attempts_of_schedule: number },
  last: EndedAttempt | undefined,
  delaysMs: readonly number[],
): Date | null {
  const delayMs = delaysMs[delivery.attempts_of_schedule];
  if (delivery.status !== 'pending' || delayMs === undefined) return null;
  const endedAt = last ? last.started_at.getTime() + last.latency_ms : delivery.created_at.getTime();
  return new Date(endedAt + delayMs);
}
