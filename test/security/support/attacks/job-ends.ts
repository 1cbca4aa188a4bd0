import type { Attacker } from '../attacker.ts';
import type { FloodRequest } from '../flood.ts';
import type { Attack } from '../holder-attack.ts';
import { insertJobWithCalls } from './records.ts';

/** As often as the key may send requests, each left after 0.4 s. */
const leave = { perMinute: 1_180, atOnce: 40, abortAfterMs: 400 };

const complete = ({ post }: Attacker, job: string) => post(`/api/jobs/${job}/complete`, { status: 'completed' });
const cancel = ({ post }: Attacker, job: string) => post(`/api/jobs/${job}/cancel`, { reason: 'none' });

async function completions(attacker: Attacker, jobs: number) {
  const requests: FloodRequest[] = [];
  for (let n = 0; n < jobs; n += 1) requests.push(complete(attacker, await attacker.hangingJob()));
  return requests;
}

export const attacksOnJobEnds: Attack[] = [
  {
    title: 'a job with a hanging call that is completed 1,180 times a minute by clients that leave after 0.4 s',
    underWayMs: 45_000,
    prepare: async (attacker) => {
      const requests = await completions(attacker, 1);
      return () => attacker.flood({ requests, ...leave });
    },
  },
  {
    title: 'completions of 8 jobs with hanging calls by clients that leave after 0.4 s',
    underWayMs: 45_000,
    prepare: async (attacker) => {
      const requests = await completions(attacker, 8);
      return () => attacker.flood({ requests, ...leave });
    },
  },
  {
    title: 'completions of a job with a hanging call by 1,000 clients that stay',
    underWayMs: 15_000,
    prepare: async (attacker) => {
      const requests = await completions(attacker, 1);
      return () => attacker.flood({ requests, atOnce: 900, perMinute: 6_000 });
    },
  },
  {
    title: 'cancellations of a job with a hanging call by clients that leave after 0.4 s',
    underWayMs: 30_000,
    prepare: async (attacker) => {
      const job = await attacker.hangingJob();
      return () => attacker.flood({ requests: [cancel(attacker, job)], ...leave });
    },
  },
  {
    title:
      'completions, cancellations, reads and changed metadata of a job with a hanging call by clients that leave after 0.4 s',
    underWayMs: 30_000,
    prepare: async (attacker) => {
      const job = await attacker.hangingJob();
      const { get, patch, flood } = attacker;
      const read = get(`/api/jobs/${job}`);
      const change = patch(`/api/jobs/${job}/metadata`, { metadata: { turn: 1 } });
      return () => flood({ requests: [complete(attacker, job), read, change, cancel(attacker, job)], ...leave });
    },
  },
  {
    title: '20 repeated completions at once of a job with 60,000 calls',
    prepare: async (attacker) => {
      const job = await insertJobWithCalls(attacker, 60_000);
      return () => attacker.flood({ requests: [complete(attacker, job)], atOnce: 20 });
    },
  },
  {
    title: '20 completions at once of missing jobs',
    prepare: async (attacker) => () =>
      attacker.flood({ requests: [complete(attacker, '00000000-0000-4000-8000-000000000000')], atOnce: 20 }),
  },
  {
    title: 'metadata of 9 KB on one job, changed 1,180 times a minute',
    underWayMs: 10_000,
    prepare: async ({ given, team, patch, flood }) => {
      const job = await given.job(team);
      const change = patch(`/api/jobs/${job}/metadata`, { metadata: { text: 'x'.repeat(9_000), turn: '{n}' } });
      return () => flood({ requests: [change], atOnce: 20, perMinute: 1_180 });
    },
  },
];
