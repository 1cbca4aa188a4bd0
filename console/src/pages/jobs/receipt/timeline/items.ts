import type { Call, CreditTransaction, Delivery, Job, JobTimeline } from '../../../../api/types.ts';

/** A part of a call's bar, in milliseconds since the epoch. */
export interface Segment {
  from: number;
  to: number;
  look: 'queued' | 'completed' | 'failed' | 'cancelled' | 'open';
}

/** What is on the axis of the receipt. `at` is where it begins. */
export type Item =
  | { kind: 'call'; id: string; at: number; call: Call; segments: Segment[]; firstToken: number | null }
  | { kind: 'end'; id: string; at: number; job: Job }
  | { kind: 'transaction'; id: string; at: number; transaction: CreditTransaction }
  | { kind: 'delivery'; id: string; at: number; delivery: Delivery }
  | { kind: 'audit'; id: string; at: number; entry: JobTimeline['audit'][number] };

const ms = (iso: string): number => Date.parse(iso);

const lookOfCall = {
  queued: 'queued',
  running: 'open',
  succeeded: 'completed',
  failed: 'failed',
  refused: 'cancelled',
  retracted: 'cancelled',
} as const;
const lookOfAttempt = {
  succeeded: 'completed',
  failed: 'failed',
  interrupted: 'failed',
  cancelled: 'cancelled',
} as const;

/** Everything that happened to the job, in the order in which it began. */
export function toItems({ job, calls, transactions, deliveries, audit }: JobTimeline, now: number): Item[] {
  const items: Item[] = [
    ...calls.map((call) => callItem(call, now)),
    ...(job.completed_at ? [{ kind: 'end', id: 'end', at: ms(job.completed_at), job } as const] : []),
    ...transactions.map(
      (one) => ({ kind: 'transaction', id: one.transaction_id, at: ms(one.created_at), transaction: one }) as const,
    ),
    ...deliveries.map(
      (one) => ({ kind: 'delivery', id: one.delivery_id, at: ms(one.created_at), delivery: one }) as const,
    ),
    ...audit.map((one) => ({ kind: 'audit', id: one.audit_id, at: ms(one.created_at), entry: one }) as const),
  ];
  return items.sort((a, b) => a.at - b.at);
}

function callItem(call: Call, now: number): Item {
  const created = ms(call.created_at);
  const end = call.finished_at ? ms(call.finished_at) : now;
  const started = call.started_at ? ms(call.started_at) : end;
  const queued: Segment = { from: created, to: started, look: 'queued' };
  return {
    kind: 'call',
    id: call.call_id,
    at: created,
    call,
    segments: [queued, ...toSegments(call, started, end)].filter(({ from, to }) => to > from),
    firstToken: call.first_token_at ? ms(call.first_token_at) : null,
  };
}

/** Each attempt by its outcome, where the caller may see them; else the whole of the call. An attempt is recorded when it ends. */
function toSegments(call: Call, started: number, end: number): Segment[] {
  if (!call.started_at) return [];
  const look = lookOfCall[call.status];
  const attempts = (call.attempts ?? []).map(({ created_at, latency_ms, outcome }) => ({
    from: Math.max(started, ms(created_at) - latency_ms),
    to: ms(created_at),
    look: lookOfAttempt[outcome],
  }));
  const last = attempts.at(-1);
  if (!last) return [{ from: started, to: end, look }];
  return call.finished_at ? attempts : [...attempts, { from: last.to, to: end, look: 'open' }];
}

/** The axis: from the creation of the job to its end, or to now. What comes later, such as a refund, is marked at its right side. */
export function toAxis({ job, calls }: JobTimeline, now: number): [start: number, end: number] {
  const start = ms(job.created_at);
  const ends = calls.map(({ finished_at }) => (finished_at ? ms(finished_at) : 0));
  const end = job.completed_at ? ms(job.completed_at) : now;
  return [
    start,
    Math.max(
      start + 1,
      end,
      ends.reduce((a, b) => Math.max(a, b), 0),
    ),
  ];
}

/** How many calls were under way in each part of the axis, for the strip above a long timeline. */
export function toDensity(items: readonly Item[], [start, end]: readonly [number, number], parts: number): number[] {
  const counts = new Array<number>(parts).fill(0);
  const part = (at: number) => Math.min(parts - 1, Math.max(0, Math.floor(((at - start) / (end - start)) * parts)));
  for (const item of items) {
    if (item.kind !== 'call') continue;
    const last = item.segments.at(-1)?.to ?? item.at;
    for (let index = part(item.at); index <= part(last); index++) counts[index]! += 1;
  }
  return counts;
}
