import { closeCall } from '../../src/db/calls/close-call.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import { queueDepths } from '../../src/db/figures/queue-depths.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { insertUnsentCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('a call counts as queued until it begins, then as running until it ends', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = newJob(team);
  await insertJob(database, job);
  const call = await insertUnsentCall(gateway.current, team, job.job_id);
  const depths = async () => {
    const { queued_calls, running_calls } = await queueDepths(database);
    return [queued_calls, running_calls];
  };

  const queued = await depths();
  await startCall(database, call, { workerAttempt: 1, startsJob: true, jobStartedAt: new Date() });
  const running = await depths();
  await closeCall(database, call, 'failed', 'cancelled');

  expect([queued, running, await depths()]).toEqual([
    [1, 0],
    [0, 1],
    [0, 0],
  ]);
});
