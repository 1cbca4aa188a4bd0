import type { Config } from '../config.ts';
import { type Bound, createBound } from './bound.ts';
import { everybody } from './holder.ts';
import { createSlots, type Leave, type Slots } from './slots.ts';

/**
 * What holders share of one process, in three measures. The reasons of the figures are in `docs/limits.md`.
 */
export interface Measures<Place extends string> {
  /** Bytes that are held: bodies until their content is recorded, large answers until their clients have read them. */
  bytes: Bound;
  /** Time of the only thread: one piece of work at a time for each holder, which takes a sixth of the thread at most. */
  thread: Bound;
  /** Slots of work that waits or runs. */
  places: Record<Place, Bound>;
}

export type ApiPlace =
  /** Passwords that are compared or hashed. Two of Node's four threads stay free for other work. */
  | 'passwords'
  /** Answers of many rows, from their first statement until the client has read them. */
  | 'lists'
  /** The same while the database reads them: two at once for all, one for each holder. */
  | 'reports'
  /** Requests that start or signal workflows. */
  | 'workflowCommands'
  /** Signals that end jobs: never behind other commands of their holder. */
  | 'endCommands'
  /** Requests that wait for the end of a job for longer than a moment. */
  | 'endWaits'
  /** Requests that end many jobs. Each waits for its jobs in the place of the request. */
  | 'manyEnds'
  /** Streams of events for consoles. */
  | 'eventStreams'
  /** Streams of calls that others have made, and reads that wait for the end of a call. */
  | 'callReads';

export interface ApiMeasures extends Measures<ApiPlace> {
  /** Calls under way, from before their limits are taken until they have ended, whoever waits for them. */
  calls: Slots;
}

/** The longest wait: a list may take so long at the database. */
const maxWaitMs = 5_000;

const mebibyte = 1_048_576;
/** The share of one holder in all the bytes that a process holds. */
const shareOf = (bytes: number): number => Math.floor(bytes / 4);

type ApiSettings = Pick<Config, 'HELD_BYTES' | 'MAX_WAITING_JOB_ENDS'>;

export function createApiMeasures({ HELD_BYTES, MAX_WAITING_JOB_ENDS }: ApiSettings): ApiMeasures {
  return {
    bytes: createBound(
      { name: 'HELD_BYTES', perKey: shareOf(HELD_BYTES), total: HELD_BYTES, waiting: 1_000 },
      {
        network: {
          name: 'bytes of bodies without a credential',
          perKey: 4 * mebibyte,
          total: 16 * mebibyte,
          waiting: 64,
        },
      },
    ),
    calls: createSlots(),
    thread: createBound({ name: 'requests that wait to be read', perKey: 1, waiting: 1_000, rest: 5 }),
    places: {
      passwords: createBound({ name: 'passwords at once', perKey: 2, total: 2, waiting: 50 }),
      lists: createBound({ name: 'lists at once', perKey: 4, waiting: 400, maxWaitMs }),
      reports: createBound({ name: 'lists at once', perKey: 1, total: 2, waiting: 400, maxWaitMs, rest: 2 }),
      workflowCommands: createBound({ name: 'commands to jobs at once', perKey: 4, waiting: 2_000, rest: 1 }),
      endCommands: createBound({ name: 'ends of jobs at once', perKey: 8, waiting: 2_000, rest: 1 }),
      endWaits: createBound({ name: 'MAX_WAITING_JOB_ENDS', perKey: MAX_WAITING_JOB_ENDS, waiting: 1_000 }),
      manyEnds: createBound({ name: 'cancellations of many jobs at once', perKey: 1, waiting: 100 }),
      eventStreams: createBound(
        { name: 'streams of events', perKey: 20, total: 400, waiting: 0 },
        { admin: { name: 'streams of events', perKey: 20, total: 100, waiting: 0 } },
      ),
      callReads: createBound({ name: 'reads of calls at once', perKey: 200, total: 2_000, waiting: 0 }),
    },
  };
}

export type WorkerPlace =
  /** Calls that run. */
  | 'calls'
  /** Attempts at deliveries, from the read of the delivery until its attempt is recorded. */
  | 'deliveries';

/** The shares of the 2,000 slots of a worker. The others stay free for what ends jobs, which never waits behind these. */
const slotsFor: Record<WorkerPlace, number> = { calls: 1_800, deliveries: 100 };

export interface WorkerMeasures extends Pick<Measures<never>, 'bytes'> {
  /** Takes one of the slots for work of this kind. Undefined: all of them are taken. */
  takeSlot(kind: WorkerPlace): Leave | undefined;
}

export function createWorkerMeasures({ WORKER_HELD_BYTES }: Pick<Config, 'WORKER_HELD_BYTES'>): WorkerMeasures {
  const taken: Record<WorkerPlace, Slots> = { calls: createSlots(), deliveries: createSlots() };
  return {
    bytes: createBound({ name: 'WORKER_HELD_BYTES', perKey: shareOf(WORKER_HELD_BYTES), total: WORKER_HELD_BYTES }),
    takeSlot: (kind) => taken[kind].take(everybody, slotsFor[kind]),
  };
}
