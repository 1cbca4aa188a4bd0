import { beginCall } from '../../src/db/calls/begin-call.ts';
import { findJob } from '../../src/db/jobs/find-job.ts';
import { saveMetadata } from '../../src/db/jobs/save-metadata.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { insertUnsentCall } from '../support/unsent-work.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('an update that was heard before the first call was is kept when it is saved after that has begun', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = await given.job(team);
  const { updated_at } = (await findJob(database, job))!;
  const [heardAt, jobStartedAt] = [1, 5].map((later) => new Date(updated_at.getTime() + later));

  await beginCall(database, await insertUnsentCall(gateway.current, team, job), {
    attempt: 1,
    startsJob: true,
    jobStartedAt: jobStartedAt!,
  });
  await saveMetadata(database, job, { heard: true }, heardAt!);

  expect(await findJob(database, job)).toMatchObject({ metadata: { heard: true }, updated_at: heardAt });
});

test('an update that was heard after the first call was, and before it began, is kept when it is saved after that', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = await given.job(team);
  const { updated_at: jobStartedAt } = (await findJob(database, job))!;
  const heardAt = new Date(jobStartedAt.getTime() + 1);

  await beginCall(database, await insertUnsentCall(gateway.current, team, job), {
    attempt: 1,
    startsJob: true,
    jobStartedAt,
  });
  await saveMetadata(database, job, { heard: true }, heardAt);
  await saveMetadata(database, job, { older: true }, jobStartedAt);

  expect(await findJob(database, job)).toMatchObject({ metadata: { heard: true }, updated_at: heardAt });
});

test('an update that is saved after the end of its job changes nothing', async () => {
  const { database } = gateway.current.deps;
  const job = await given.job(await given.team(), { metadata: { kept: true } });
  await settleJob(database, { ...endAsRecorded(job, 'failed', 'no answer'), credits: 0, with_call: false });
  const ended = await findJob(database, job);

  await saveMetadata(database, job, { late: true }, new Date(Date.now() + 60_000));

  expect(await findJob(database, job)).toEqual(ended);
});
