import { Unavailable } from '../errors.ts';
import type { TemporalWatch } from './temporal-watch.ts';
import type { WorkerWatch } from './worker-watch.ts';

/** How often a waiting command checks that Temporal and a worker are there. */
const watchMs = 500;

/** Whether Temporal is there to take a command, and a worker to carry it out. */
export interface Liveness {
  server: Pick<TemporalWatch, 'isUnavailable'>;
  workers: Pick<WorkerWatch, 'isUnavailable' | 'isGone'>;
}

/** For a worker, which need not look: it is there itself. */
export const alwaysAvailable: Liveness = {
  server: { isUnavailable: () => false },
  workers: { isUnavailable: () => false, isGone: () => false },
};

/** Waits for `work`, and throws `Unavailable` when Temporal is away or `nobodyWorks`. `givenUp` aborts when the wait is over. */
export type WhileAvailable = <T>(work: (givenUp: AbortSignal) => Promise<T>, nobodyWorks: () => boolean) => Promise<T>;

/** For a wait that may last as long as the job. */
export const waitWhileAvailable =
  ({ server }: Liveness): WhileAvailable =>
  async (work, nobodyWorks) => {
    const giveUp = new AbortController();
    const done = work(giveUp.signal);
    const alone = new Promise<never>((_, reject) => {
      const timer = setInterval(() => {
        if (server.isUnavailable()) reject(new Unavailable('temporal'));
        if (nobodyWorks()) reject(new Unavailable('worker'));
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
