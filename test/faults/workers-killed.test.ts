import { setTimeout as pause } from 'node:timers/promises';
import { givenIn } from '../support/given.ts';
import { seededRandom } from '../support/random.ts';
import { minutes, sized } from '../support/sizes.ts';
import { figures } from './support/figures.ts';
import { installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, runJob } from './support/workload.ts';

const jobs = sized({ short: 12, full: 2_000 });
const kills = sized({ short: 2, full: 20 });
const callsAJob = 5;
const endedWithinMs = 60_000;
const jobsAtOnce = sized({ short: 6, full: 20 });

const installation = installationForTests({ workers: 2 });
const given = givenIn(installation);

test(
  'workers that are killed at random moments lose no call, charge no job twice and leave no stream open (spec 4.7)',
  async () => {
    const { checker, pool, simulator, workers } = installation.current;
    const random = seededRandom(jest.getSeed(), 'workers killed');
    const team = await given.team({ credits: jobs, models: ['sim-echo-slow-50-every-10'] });
    const client = new RetryingClient(installation.current, team);
    let [done, inFlight, killed] = [0, 0, 0];
    checker.watch();

    const running = repeat(jobs, jobsAtOnce, async () => {
      const ended = await runJob(client, random, callsAJob);
      done += 1;
      return ended;
    });
    const killing = (async () => {
      const moments = Array.from({ length: kills }, () => random.next() * jobs * 0.9).sort((a, b) => a - b);
      for (const moment of moments) {
        while (done < Math.floor(moment)) await pause(20);
        await pause(random.between(0, 500));
        const worker = random.pick(workers);
        await worker.ready();
        worker.kill();
        inFlight += (await pool.query(`select from calls where status in ('queued', 'running')`)).rowCount ?? 0;
        killed = Date.now();
      }
    })();
    const [ended] = await Promise.all([running, killing]);
    const lastEndAfterMs = (await lastEndOfJobsBefore(killed)) - killed;
    const findings = await checker.conclude();

    expect(findings).toEqual([]);
    const charged = ended.filter((job) => job !== undefined).length;
    const { credits_used } = await given.admin('get', `/api/credits/balance?team_id=${team.teamId}`);
    expect(credits_used).toBe(charged);
    const { calls, attempts } = await countCalls();
    const requested = simulator.counts().paths['/chat/completions'] ?? 0;
    expect(calls).toBe(jobs * callsAJob);
    expect(lastEndAfterMs).toBeLessThan(endedWithinMs);
    expect(requested - calls).toBeLessThanOrEqual(inFlight);
    expect(attempts + client.unavailable).toBeGreaterThanOrEqual(requested);
    figures('workers killed', {
      'jobs, calls, kills': `${jobs}, ${calls}, ${kills}`,
      'jobs charged, and jobs with a stream cut after its first token (free)': `${charged}, ${jobs - charged}`,
      'calls in flight at the kills, requested again upstream': `${inFlight}, ${requested - calls}`,
      'last end of a job that was open at the last kill': `${lastEndAfterMs} ms`,
      'rounds of the checker, findings': `${checker.checks}, ${findings.length}`,
    });

    async function lastEndOfJobsBefore(moment: number): Promise<number> {
      const last = 'select max(completed_at) as last from jobs where created_at < $1';
      const { rows } = await pool.query<{ last: Date }>(last, [new Date(moment)]);
      return rows[0]!.last.getTime();
    }

    async function countCalls(): Promise<{ calls: number; attempts: number }> {
      const { rows } = await pool.query(
        `select (select count(*)::int from calls where status <> 'retracted') as calls,
                (select count(*)::int from call_attempts) as attempts`,
      );
      return rows[0];
    }
  },
  minutes(2, 40),
);
