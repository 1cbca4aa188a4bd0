import { retractCalls } from '../../src/db/calls/retract-calls.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { insertUnsentCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('of two calls the one that no worker has started is retracted, and a repeated retraction returns the same result', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = newJob(team);
  await insertJob(database, job);
  const [waiting, started] = [
    await insertUnsentCall(gateway.current, team, job.job_id),
    await insertUnsentCall(gateway.current, team, job.job_id),
  ];
  await startCall(database, started, { workerAttempt: 1, startsJob: true, jobStartedAt: new Date() });

  const calls = [waiting, started].map((call_id) => ({ call_id, operation: undefined }));
  const retractions = [
    await retractCalls(database, calls, { isOwn: true }),
    await retractCalls(database, calls, { isOwn: false }),
  ];

  const expected = new Map([
    [waiting, 'retracted'],
    [started, 'started'],
  ]);
  expect(retractions).toEqual([expected, expected]);
});
