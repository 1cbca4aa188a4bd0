import { Unavailable } from '../errors.ts';
import type { TemporalWatch } from './temporal-watch.ts';
import type { WorkerWatch } from './worker-watch.ts';

/** A command waits for its job's calls; this is how often it looks whether anybody is still at work. */
const watchMs = 500;

/** Who is there to hear a command, and to carry it out. */
export interface Surroundings {
  server: Pick<TemporalWatch, 'away'>;
  workers: Pick<WorkerWatch, 'away' | 'gone'>;
}

/** What a worker needs to know of its surroundings: it is there itself. */
export const inAWorker: Surroundings = {
  server: { away: () => false },
  workers: { away: () => false, gone: () => false },
};

/** Waits for `work`, and throws `Unavailable` when Temporal is away or `nobody` is there to do it. Whoever works on is told to stop. */
export type Attended = <T>(work: (givenUp: AbortSignal) => Promise<T>, nobody: () => boolean) => Promise<T>;

/** What takes as long as the job does, while somebody is there to do it. */
export const attending =
  ({ server }: Surroundings): Attended =>
  async (work, nobody) => {
    const giveUp = new AbortController();
    const done = work(giveUp.signal);
    const alone = new Promise<never>((_, reject) => {
      const timer = setInterval(() => {
        if (server.away()) reject(new Unavailable('temporal'));
        if (nobody()) reject(new Unavailable('worker'));
      }, watchMs);
      giveUp.signal.addEventListener('abort', () => clearInterval(timer));
    });
    try {
      return await Promise.race([done, alone]);
    } finally {
      giveUp.abort();
      alone.catch(() => undefined);
      done.catch(() => undefined);
    }
  };
