import { beginCall } from '../../src/db/calls/begin-call.ts';
import { retractCalls } from '../../src/db/calls/retract-calls.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { newJob, recordCall } from '../support/records.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('a call that no worker has begun is retracted, and is named again to who did not hear it', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = newJob(team);
  await insertJob(database, job);
  const [waiting, begun] = [
    await recordCall(gateway.current, team, job.job_id),
    await recordCall(gateway.current, team, job.job_id),
  ];
  await beginCall(database, begun, { attempt: 1, startsJob: true, jobStartedAt: new Date() });

  const retracted = [await retractCalls(database, [waiting, begun]), await retractCalls(database, [waiting, begun])];

  expect(retracted).toEqual([new Set([waiting]), new Set([waiting])]);
});
