import { until } from '../../support/until.ts';
import type { Moment } from './intercept-statements.ts';
import type { Dependency, Kind, SupervisedProcess } from './supervised-process.ts';

/** A moment in a request at which its process is killed, recognized in the traffic of its links: the product has no test hook. */
export type CrashPoint = { name: string; dies: Kind } & (
  | { statement: string; moment: Moment }
  /** Bytes of one direction that contain `text`, or any bytes. `forwarded`: the other side receives them before the kill. */
  | { dependency: Exclude<Dependency, 'postgres'>; from: 'client' | 'server'; text?: string; forwarded?: boolean }
);

const around = (dies: Kind, statement: string): CrashPoint[] =>
  (['before', 'after'] as const).map((moment) => ({ name: `${dies} ${moment} ${statement}`, dies, statement, moment }));

export const crashPoints: CrashPoint[] = [
  ...around('api', 'claim_key'),
  ...around('api', 'insert_job'),
  { name: 'api before a job is started', dies: 'api', dependency: 'temporal', from: 'client', text: 'idle_timeout_ms' },
  ...around('api', 'admit_call_to_job'),
  { name: 'api before a call is signalled', dies: 'api', dependency: 'temporal', from: 'client', text: '"call_id"' },
  {
    name: 'api before a completion is signalled',
    dies: 'api',
    dependency: 'temporal',
    from: 'client',
    text: '"command_id"',
  },
  ...around('api', 'admit_call_with_job'),
  ...around('api', 'store_answer'),
  ...around('api', 'take_deliveries'),
  {
    name: 'api before a delivery is started',
    dies: 'api',
    dependency: 'temporal',
    from: 'client',
    text: '"delays_ms"',
  },
  ...around('worker', 'start_call'),
  ...around('worker', 'start_call_and_job'),
  {
    name: 'worker after the request to the upstream',
    dies: 'worker',
    dependency: 'upstream',
    from: 'client',
    forwarded: true,
  },
  { name: 'worker when the upstream answers', dies: 'worker', dependency: 'upstream', from: 'server' },
  ...around('worker', 'mark_first_token'),
  { name: 'worker before a token is published', dies: 'worker', dependency: 'redis', from: 'client', text: '"delta"' },
  ...around('worker', 'finish_call'),
  ...around('worker', 'finish_call_and_job'),
  ...around('worker', 'record_cost'),
  ...around('worker', 'settle_job'),
  { name: 'worker before a delivery is read', dies: 'worker', statement: 'find_delivery', moment: 'before' },
  ...around('worker', 'record_delivery_attempt'),
];

/** Kills the process the `hit`-th time that it reaches the point. `reached` resolves then. */
export function killAtPoint(
  victim: SupervisedProcess,
  point: CrashPoint,
  hit: number,
): { reached(): Promise<unknown> } {
  let hits = 0;
  const isReached = () => hits >= hit;
  const countHit = () => {
    if (isReached()) return false;
    hits += 1;
    if (isReached()) victim.kill();
    return isReached();
  };
  if ('statement' in point) {
    victim.onStatement = (statement, moment) =>
      statement === point.statement && moment === point.moment && countHit() ? 'hold' : 'pass';
  } else {
    // One chunk may contain several messages.
    const occurrences = (bytes: Buffer) => (point.text ? bytes.toString('latin1').split(point.text).length - 1 : 1);
    victim.onBytes[point.dependency] = (bytes, from) => {
      if (from !== point.from) return 'pass';
      const isLast = Array.from({ length: occurrences(bytes) }, countHit).includes(true);
      return isLast && !point.forwarded ? 'hold' : 'pass';
    };
  }
  return { reached: () => until(isReached, Boolean, 60_000) };
}
