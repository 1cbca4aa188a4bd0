export const deliveryStatuses = ['pending', 'delivered', 'exhausted'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** How a delivery ends. `gone`: its webhook was deleted. */
export type DeliveryEnd = Exclude<DeliveryStatus, 'pending'> | 'gone';

/** An attempt that has ended. */
interface EndedAttempt {
  started_at: Date;
  latency_ms: number;
  /** How long the receiver asked to wait. */
  retry_after_ms: number | null;
}

/**
 * The delay before the attempt of this index: that of the schedule, or what the receiver has asked for after the last attempt, but
 * no longer than the next delay of the schedule. `spec 11.3`
 */
export function delayBefore(
  delaysMs: readonly number[],
  index: number,
  retryAfterMs: number | null | undefined,
): number {
  const delayMs = delaysMs[index]!;
  const longest = Math.max(delayMs, delaysMs[index + 1] ?? 0);
  return Math.min(Math.max(delayMs, retryAfterMs ?? 0), longest);
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
  const { status, attempts_of_schedule: index } = delivery;
  if (status !== 'pending' || index >= delaysMs.length) return null;
  // What the last attempt of another schedule has received does not count.
  const delayMs = delayBefore(delaysMs, index, index === 0 ? null : last?.retry_after_ms);
  const endedAt = last ? last.started_at.getTime() + last.latency_ms : delivery.created_at.getTime();
  return new Date(endedAt + delayMs);
}
