import { until } from '../../support/until.ts';
import type { Kind, Part, Place } from './place.ts';
import type { Moment } from './watch-statements.ts';

/** A moment in the life of a request at which its process dies. Found by what passes its links: the product has no hook. */
export type CrashPoint = { name: string; dies: Kind } & (
  | { statement: string; moment: Moment }
  /** `says` in what the process sends, or anything that it is sent. `heard`: the other side hears it all the same. */
  | { part: Exclude<Part, 'postgres'>; from: 'client' | 'server'; says?: string; heard?: boolean }
);

const around = (dies: Kind, statement: string): CrashPoint[] =>
  (['before', 'after'] as const).map((moment) => ({ name: `${dies} ${moment} ${statement}`, dies, statement, moment }));

export const crashPoints: CrashPoint[] = [
  ...around('api', 'claim_key'),
  ...around('api', 'insert_job'),
  { name: 'api before a job is started', dies: 'api', part: 'temporal', from: 'client', says: 'idle_timeout_ms' },
  ...around('api', 'admit_call'),
  { name: 'api before a call is signalled', dies: 'api', part: 'temporal', from: 'client', says: '"call_id"' },
  { name: 'api before a completion is signalled', dies: 'api', part: 'temporal', from: 'client', says: '"command_id"' },
  ...around('api', 'admit_single_call'),
  ...around('api', 'keep_answer'),
  { name: 'api before deliveries are started', dies: 'api', statement: 'deliveries_by_id', moment: 'before' },
  { name: 'api after deliveries were started', dies: 'api', statement: 'deliveries_started', moment: 'before' },
  ...around('worker', 'begin_call'),
  ...around('worker', 'begin_call_and_job'),
  { name: 'worker when the upstream was asked', dies: 'worker', part: 'upstream', from: 'client', heard: true },
  { name: 'worker when the upstream answers', dies: 'worker', part: 'upstream', from: 'server' },
  ...around('worker', 'mark_shown'),
  { name: 'worker before a token is published', dies: 'worker', part: 'redis', from: 'client', says: '"delta"' },
  ...around('worker', 'finish_call'),
  ...around('worker', 'record_cost'),
  ...around('worker', 'settle_job'),
  { name: 'worker before a delivery is read', dies: 'worker', statement: 'find_delivery', moment: 'before' },
  ...around('worker', 'record_delivery_attempt'),
];

/** Kills the process the `hit`-th time that it comes to the point. `sprung` resolves when it has. */
export function setTrap(place: Place, point: CrashPoint, hit: number): { sprung(): Promise<unknown> } {
  let hits = 0;
  const isSprung = () => hits >= hit;
  const spring = () => {
    if (isSprung()) return false;
    hits += 1;
    if (isSprung()) place.kill();
    return isSprung();
  };
  if ('statement' in point) {
    place.watchStatement = (statement, moment) =>
      statement === point.statement && moment === point.moment && spring() ? 'hold' : 'pass';
  } else {
    // Two messages may come in one piece.
    const timesSaid = (bytes: Buffer) => (point.says ? bytes.toString('latin1').split(point.says).length - 1 : 1);
    place.watchBytes[point.part] = (bytes, from) => {
      if (from !== point.from) return 'pass';
      const springs = Array.from({ length: timesSaid(bytes) }, spring).includes(true);
      return springs && !point.heard ? 'hold' : 'pass';
    };
  }
  return { sprung: () => until(isSprung, Boolean, 60_000) };
}
