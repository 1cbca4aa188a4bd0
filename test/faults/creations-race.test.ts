import { as, expectOk, givenIn } from '../support/given.ts';
import { minutes, sized } from '../support/sizes.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';

const requests = sized({ short: 160, full: 640 });
const credits = 37;

const installation = installationForTests({ apis: 2 });
const given = givenIn(installation);

test(
  'of many jobs that are created at once by two apis, as many are as the team has credits to reserve, and each is charged (spec 24.2, spec 24.4)',
  async () => {
    const { checker } = installation.current;
    const team = await given.team({ credits, low_balance_policy: 'reserve' });
    const client = new RetryingClient(installation.current, team);
    const account = () => given.admin('get', `/api/credits/balance?team_id=${team.teamId}`);
    checker.watch();

    const answers = await Promise.all(
      Array.from({ length: requests }, () =>
        as(installation, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report' }),
      ),
    );

    const jobs = answers.filter(({ status }) => status === 200).map((answer) => expectOk(answer).job_id);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(requests - credits);
    expect(jobs).toHaveLength(credits);
    expect(await account()).toMatchObject({ credits_remaining: credits, credits_held: credits, credits_available: 0 });
    const outcomes = await Promise.all(jobs.map((jobId) => client.complete(jobId)));
    expect(outcomes.every(({ costs }) => costs.credit_applied)).toBe(true);
    expect(await account()).toMatchObject({ credits_remaining: 0, credits_held: 0, credits_available: 0 });
    expect(await checker.conclude()).toEqual([]);
    figures('creations with a reservation', {
      'requests, created, refused': `${requests}, ${jobs.length}, ${requests - jobs.length}`,
    });
  },
  minutes(2, 5),
);
