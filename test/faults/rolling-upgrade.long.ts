import { givenIn } from '../support/given.ts';
import { seededRandom } from '../support/random.ts';
import { minutes, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { Balancer } from './support/balancer.ts';
import { figures } from './support/figures.ts';
import { type Installation, openInstallation } from './support/installation.ts';
import { startLoad } from './support/load.ts';
import { checkOutPrevious } from './support/previous-code.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, runJob, somePrompt } from './support/workload.ts';

const jobs = sized({ short: 12, full: 200 });
const perSecond = sized({ short: 4, full: 20 });

/** Whole jobs, some cancelled, some left open, by whatever api the balancer selects. Resolves with those that were left open. */
async function mainStory(client: RetryingClient, seed: number): Promise<string[]> {
  const random = seededRandom(seed, 'rolling upgrade');
  const leftOpen: string[] = [];
  await repeat(jobs, 4, async (turn) => {
    if (turn % 3 === 0) return runJob(client, random, 3);
    const jobId = await client.createJob();
    await client.call(jobId, somePrompt());
    if (turn % 3 === 1) leftOpen.push(jobId);
    else await client.complete(jobId, 'failed');
    return jobId;
  });
  return leftOpen;
}

/** The balancer needs a part of a second to notice. */
const settings = { LAME_DUCK_SECONDS: '2' };

test(
  'api and worker of earlier code serve on the schema of today, under load, beside those of today and until these replace them',
  async () => {
    const previous = checkOutPrevious();
    if (previous === undefined)
      throw new Error('there is no earlier code with a part of the migrations of today, unchanged');
    let installation: Installation | undefined;
    try {
      installation = await openInstallation({ apis: 2, workers: 2, codeOfFirst: previous.folder, settings });
      const { apis, workers, checker } = installation;
      const current = installation;
      const given = givenIn({ current });
      await using balancer = await Balancer.open(() => apis.map((api) => api.listening));
      await until(() => apis.every((api) => balancer.isReady(api.listening)));
      const team = await given.team({ credits: 100_000, models: ['sim-echo'] });
      const client = new RetryingClient({ ...current, url: balancer.url }, team);
      checker.watch();
      // Apis first: a worker of today does not charge a completion that an api sends without sealing it (decision 0092).
      expect(await workers[1]!.end('SIGTERM')).toBe(0);

      await using load = startLoad(client, perSecond);
      const leftOpen = await mainStory(client, jest.getSeed());
      // The second ones now have what the first ones began. The two workers are beside each other for a while.
      expect(await apis[0]!.end('SIGTERM')).toBe(0);
      await workers[1]!.start();
      leftOpen.push(...(await mainStory(client, jest.getSeed() + 1)));
      expect(await workers[0]!.end('SIGTERM')).toBe(0);
      for (const jobId of leftOpen) {
        await client.stream(jobId, somePrompt());
        await client.complete(jobId);
      }
      await load.stop();

      expect([...balancer.lost, ...client.unanswered]).toEqual([]);
      expect(Object.keys(client.statuses)).toEqual(['200']);
      expect(client.streams.failed).toBe(0);
      expect(await checker.conclude()).toEqual([]);
      figures('rolling upgrade', {
        'answers by status': JSON.stringify(client.statuses),
        'earlier commit, migrations since': `${previous.commit}, ${previous.newMigrations.join(' ') || 'none'}`,
      });
    } finally {
      await installation?.close();
      previous.remove();
    }
  },
  minutes(3, 8),
);
