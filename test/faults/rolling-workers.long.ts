import { setTimeout as pause } from 'node:timers/promises';
import { workflowId } from '../../src/domain/ids.ts';
import { givenIn } from '../support/given.ts';
import { sized } from '../support/sizes.ts';
import { figures, percentile } from './support/figures.ts';
import { type Installation, installationForTests } from './support/installation.ts';
import { RetryingClient } from './support/retrying-client.ts';
import { repeat, somePrompt } from './support/workload.ts';

const restarts = sized({ short: 4, full: 40 });
/** Each begins its next call when the one before has ended: the load is what one worker can do, and no queue grows. */
const callsAtOnce = 6;
const settings = { DRAIN_SECONDS: '60' };
const installation = installationForTests({ workers: 2, settings });
const given = givenIn(installation);

/** Tasks that a worker did not get or did not execute, by the timeout after which Temporal gave them to another one. */
async function lostTasks({ pool, temporal }: Installation): Promise<Record<string, number>> {
  const { rows } = await pool.query("select job_id from calls where finished_at - created_at > interval '4 s'");
  const lost: Record<string, number> = { 'calls over 4 s': rows.length };
  const count = (name: string) => {
    lost[name] = (lost[name] ?? 0) + 1;
  };
  for (const { job_id } of rows) {
    const { events } = await temporal.workflow.getHandle(workflowId.job(job_id)).fetchHistory();
    for (const { workflowTaskTimedOutEventAttributes: task, activityTaskStartedEventAttributes: activity } of events ??
      []) {
      // 1: start to close, of a task that was handed over; 2: schedule to start, of one for a worker that is gone.
      if (task) count(`workflow tasks, timeout type ${task.timeoutType}`);
      if ((activity?.attempt ?? 1) > 1) count('activities');
    }
  }
  return lost;
}

test('no call fails or is made twice while workers are restarted in turn under load, and the tasks that they lose are counted', async () => {
  const { workers, checker } = installation.current;
  const team = await given.team({ credits: 100_000, models: ['sim-echo'] });
  const client = new RetryingClient(installation.current, team);
  const tookMs: number[] = [];
  checker.watch();
  let isOver = false;
  const load = repeat(callsAtOnce, callsAtOnce, async () => {
    while (!isOver) await client.createAndCall(somePrompt());
  });

  const codes: (number | null)[] = [];
  for (let n = 0; n < restarts; n += 1) {
    const worker = workers[n % 2]!;
    const startedAt = Date.now();
    codes.push(await worker.end('SIGTERM'));
    tookMs.push(Date.now() - startedAt);
    await worker.start();
    await pause(500);
  }
  isOver = true;
  await load;

  figures('rolling workers', {
    'restarts, calls': `${restarts}, ${client.latencies.length}`,
    'lost tasks': JSON.stringify(await lostTasks(installation.current)),
    'p50, p99, slowest (ms)': [0.5, 0.99, 1].map((share) => Math.round(percentile(client.latencies, share))).join(', '),
    'SIGTERM to the exit, slowest (ms)': Math.max(...tookMs),
  });
  expect(codes).toEqual(codes.map(() => 0));
  expect(client.unanswered).toEqual([]);
  expect(Object.keys(client.statuses)).toEqual(['200']);
  expect(await checker.conclude()).toEqual([]);
}, 600_000);
