import { expectOk, givenIn } from '../support/given.ts';
import { minutes, sized } from '../support/sizes.ts';
import { figures, percentile } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat } from './support/workload.ts';

const jobs = sized({ short: 100, full: 1_000 });
const credits = jobs / 10;

const installation = installationForTests({ workers: 2 });
const given = givenIn(installation);

test(
  'of ten times as many jobs as credits that are completed at once, as many are charged as there are credits (spec 6.10)',
  async () => {
    const { checker } = installation.current;
    const team = await given.team({ credits });
    const client = new RetryingClient(installation.current, team);
    const jobIds = await repeat(jobs, 20, () => client.createJob());
    checker.watch();

    const outcomes = await Promise.all(
      jobIds.map(async (jobId) => {
        const answer = await client.once(`/api/jobs/${jobId}/complete`, { status: 'completed' });
        return answer.status === 0 || answer.status === 503 ? client.complete(jobId) : expectOk(answer);
      }),
    );

    const charged = outcomes.filter(({ costs }) => costs.credit_applied).length;
    const { credits_remaining } = await given.admin('get', `/api/credits/balance?team_id=${team.teamId}`);
    expect(await checker.conclude()).toEqual([]);
    expect([charged, credits_remaining]).toEqual([credits, 0]);
    expect(outcomes.every(({ status }) => status === 'completed')).toBe(true);
    figures('100 credits, 1,000 jobs', {
      'completed, deducted, not deducted, balance': `${outcomes.length}, ${charged}, ${jobs - charged}, ${credits_remaining}`,
      answers: JSON.stringify(client.statuses),
      'completion p50, p99': `${Math.round(percentile(client.latencies.slice(jobs), 0.5))}, ${Math.round(percentile(client.latencies.slice(jobs), 0.99))} ms`,
    });
  },
  minutes(2, 15),
);
