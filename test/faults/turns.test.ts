import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type GivenTeam, givenIn, hello } from '../support/given.ts';
import { seededRandom } from '../support/random.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { minutes, sized } from '../support/sizes.ts';
import { until } from '../support/until.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { repeat } from './support/workload.ts';

const turns = sized({ short: 16, full: 200 });
const races = sized({ short: 30, full: 600 });
const atOnce = 10;

const installation = installationForTests({ workers: 2 });
const given = givenIn(installation);

const givenTeam = () =>
  given.team({ credits: 10_000, rpm_limit: 100_000, tpm_limit: 100_000_000, max_concurrent_calls: 100 });

/** A call of an agent, as its client repeats it until it has an answer. */
async function call(team: GivenTeam, session: string, jobEnd: string): Promise<string> {
  const { url } = installation.current;
  const headers = { 'x-claude-code-session-id': session, 'x-job-end': jobEnd, 'idempotency-key': randomUUID() };
  const body = { model: team.modelGroup, messages: hello };
  const answer = await until(
    () =>
      sendRequest(url, 'post', '/v1/chat/completions', { key: team.key, body, headers }).catch(
        (): Pick<Answer, 'status'> => ({ status: 0 }),
      ),
    ({ status }) => ![0, 409, 503].includes(status),
    60_000,
  );
  expect(answer.status).toBe(200);
  return (answer as Answer).headers.get('x-job-id')!;
}

async function untilEnded(jobIds: readonly string[]): Promise<string[]> {
  const sql = 'select status from jobs where job_id = any ($1)';
  const rows = await until(
    async () => (await installation.current.pool.query<{ status: string }>(sql, [jobIds])).rows,
    (found) => found.every(({ status }) => status !== 'pending' && status !== 'in_progress'),
    60_000,
  );
  return rows.map(({ status }) => status);
}

/** An api that was killed answers again after a moment. */
const usedBy = (team: GivenTeam): Promise<number> =>
  until(
    async () => {
      const balance = given.admin('get', `/api/credits/balance?team_id=${team.teamId}`);
      return (await balance.catch(() => ({ credits_used: -1 }))).credits_used as number;
    },
    (used) => used >= 0,
    60_000,
  );

test.each([['worker'], ['api']] as const)(
  'turns whose %s is killed in their settle time are completed and charged once each (spec 27.3)',
  async (kind) => {
    const { checker, apis, workers } = installation.current;
    const team = await givenTeam();
    checker.watch();

    const jobs = await repeat(turns, atOnce, () => call(team, randomUUID(), 'turn=4'));
    const killed = kind === 'api' ? apis : workers;
    for (const one of killed) one.kill();
    const ends = await untilEnded(jobs);

    expect(await checker.conclude()).toEqual([]);
    expect(new Set(jobs).size).toBe(turns);
    expect(new Set(ends)).toEqual(new Set(['completed']));
    expect(await usedBy(team)).toBe(turns);
  },
  minutes(3, 10),
);

test(
  'a call that begins when its turn is just over is made in that job or the next, is never lost, and each job is charged once (spec 27.3)',
  async () => {
    const { checker, pool } = installation.current;
    const random = seededRandom(jest.getSeed(), 'turns race');
    const team = await givenTeam();
    checker.watch();

    const pairs = await repeat(races, atOnce, async () => {
      const session = randomUUID();
      const first = await call(team, session, 'turn=1');
      await pause(1_000 + random.between(-60, 140));
      return [first, await call(team, session, 'turn=1')] as const;
    });
    const jobs = [...new Set(pairs.flat())];
    const ends = await untilEnded(jobs);

    expect(await checker.conclude()).toEqual([]);
    expect(new Set(ends)).toEqual(new Set(['completed']));
    expect(await usedBy(team)).toBe(jobs.length);
    const { rows } = await pool.query(
      `select count(*) filter (where status = 'succeeded')::int as made, count(*) filter (where status = 'refused')::int as refused
         from calls where team_id = $1`,
      [team.teamId],
    );
    expect(rows[0].made).toBe(2 * races);
    figures('calls at the end of a turn', {
      'pairs, in one job, in two': `${races}, ${pairs.filter(([one, two]) => one === two).length}, ${jobs.length - races}`,
      'refused by the closing job and made in the next': rows[0].refused,
    });
  },
  minutes(3, 15),
);
