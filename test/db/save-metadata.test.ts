import { startCall } from '../../src/db/calls/start-call.ts';
import { findJob } from '../../src/db/jobs/find-job.ts';
import { saveMetadata } from '../../src/db/jobs/save-metadata.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('metadata that were signalled before the first call are saved after that call has started', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = await given.job(team);
  const { updated_at } = (await findJob(database, job))!;
  const [signalledAt, jobStartedAt] = [1, 5].map((later) => new Date(updated_at.getTime() + later));

  await startCall(database, await insertUnsentCall(gateway.current, team, job), {
    workerAttempt: 1,
    startsJob: true,
    jobStartedAt: jobStartedAt!,
  });
  await saveMetadata(database, job, { signalled: true }, signalledAt!);

  expect(await findJob(database, job)).toMatchObject({ metadata: { signalled: true }, updated_at: signalledAt });
});

test('metadata that were signalled between the signal and the start of the first call are saved afterwards, and older ones are not', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = await given.job(team);
  const { updated_at: jobStartedAt } = (await findJob(database, job))!;
  const signalledAt = new Date(jobStartedAt.getTime() + 1);

  await startCall(database, await insertUnsentCall(gateway.current, team, job), {
    workerAttempt: 1,
    startsJob: true,
    jobStartedAt,
  });
  await saveMetadata(database, job, { signalled: true }, signalledAt);
  await saveMetadata(database, job, { older: true }, jobStartedAt);

  expect(await findJob(database, job)).toMatchObject({ metadata: { signalled: true }, updated_at: signalledAt });
});

test('metadata that are saved after the end of their job change nothing', async () => {
  const { database } = gateway.current.deps;
  const job = await given.job(await given.team(), { metadata: { kept: true } });
  await settleJob(database, { ...endAsRecorded(job, 'failed', 'no answer'), credits: 0 });
  const ended = await findJob(database, job);

  await saveMetadata(database, job, { late: true }, new Date(Date.now() + 60_000));

  expect(await findJob(database, job)).toEqual(ended);
});
