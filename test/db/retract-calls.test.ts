import { randomUUID } from 'node:crypto';
import { admitCallWithJob } from '../../src/db/calls/admit-call-with-job.ts';
import { retractCalls } from '../../src/db/calls/retract-calls.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { retractJobs } from '../../src/db/jobs/retract-jobs.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, givenIn } from '../support/given.ts';
import { insertUnsentCall, newCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('of two calls the one that no worker has started is deleted, and a repeated retraction does not find it', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = newJob(team);
  await insertJob(database, job);
  const [waiting, started] = [
    await insertUnsentCall(gateway.current, team, job.job_id),
    await insertUnsentCall(gateway.current, team, job.job_id),
  ];
  await startCall(database, started, { workerAttempt: 1, startsJob: true, jobStartedAt: new Date() });

  const calls = [waiting, started].map((id) => ({ id, operation: undefined }));
  const retractions = [
    await retractCalls(database, calls, { isOwn: true }),
    await retractCalls(database, calls, { isOwn: false }),
  ];

  const found = retractions.map((all) => [all.get(waiting)?.retraction, all.get(started)?.retraction]);
  expect(found).toEqual([
    ['retracted', 'started'],
    ['missing', 'started'],
  ]);
});

test('the job that was made for a retracted call goes with it, unless it has another call, and so does the event of its creation', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  await as(gateway, team).post('/api/webhooks/register', {
    team_id: team.teamId,
    webhook_url: 'https://example.com/hook',
    events: ['job.created'],
  });
  const single = { ...newCall(gateway.current, team), job_id: randomUUID() };
  const shared = { ...newCall(gateway.current, team), job_id: randomUUID() };
  for (const call of [single, shared]) await admitCallWithJob(database, { ...newJob(team), job_id: call.job_id }, call);
  await insertUnsentCall(gateway.current, team, shared.job_id);

  const retracted = await retractCalls(
    database,
    [single, shared].map(({ call_id: id }) => ({ id, operation: undefined })),
    { isOwn: true },
  );

  expect([single, shared].map(({ call_id }) => retracted.get(call_id)?.is_job_gone)).toEqual([true, false]);
  const left = async (table: string) =>
    (await database.pool.query(`select job_id from ${table} where job_id in ('${single.job_id}', '${shared.job_id}')`))
      .rows;
  expect(await left('jobs')).toEqual([{ job_id: shared.job_id }]);
  expect(await left('webhook_deliveries')).toEqual([{ job_id: shared.job_id }]);
});

test('a new job is deleted while it is only recorded, and stays once it has a call or an update', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const [fresh, called, updated] = [newJob(team), newJob(team), newJob(team)];
  for (const job of [fresh, called, updated]) await insertJob(database, job);
  await insertUnsentCall(gateway.current, team, called.job_id);
  await database.pool.query(`update jobs set updated_at = now() + interval '1 second' where job_id = $1`, [
    updated.job_id,
  ]);

  const retractions = await retractJobs(
    database,
    [fresh, called, updated].map(({ job_id: id }) => ({ id, operation: undefined })),
    { isOwn: false },
  );

  expect([fresh, called, updated].map(({ job_id }) => retractions.get(job_id))).toEqual([
    'retracted',
    'started',
    'started',
  ]);
});
