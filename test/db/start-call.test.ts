import { closeCall } from '../../src/db/calls/close-call.ts';
import { insertEarlyAttempt } from '../../src/db/calls/insert-attempts.ts';
import { type CallStart, startCall } from '../../src/db/calls/start-call.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { besideUncommitted } from '../support/locks.ts';
import { insertUnsentCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

/** Of a team with a webhook for `job.started`. */
async function givenJob(team: GivenTeam): Promise<string> {
  const webhook = { team_id: team.teamId, webhook_url: 'https://example.com/hook', events: ['job.started'] };
  expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const job = newJob(team);
  await insertJob(gateway.current.deps.database, job);
  return job.job_id;
}

const startAs = async (call: string, options: Partial<CallStart>) =>
  (await startCall(gateway.current.deps.database, call, {
    workerAttempt: 1,
    startsJob: true,
    jobStartedAt: new Date(),
    ...options,
  }))!;

/** The number of its deliveries of `job.started`. */
const start = async (call: string, options: Partial<CallStart> = {}) =>
  (await startAs(call, options)).delivery_ids.length;

async function read(job: string) {
  const { rows } = await gateway.current.deps.database.pool.query('select * from jobs where job_id = $1', [job]);
  return rows[0];
}

test('two first calls of a job that start at once start the job once', async () => {
  const team = await given.team();
  const job = await givenJob(team);
  const calls = [
    await insertUnsentCall(gateway.current, team, job),
    await insertUnsentCall(gateway.current, team, job),
  ];
  const held = { sql: 'select from jobs where job_id = $1 for update', values: [job], waiting: 2 };

  const deliveries = await besideUncommitted(gateway.current, held, () =>
    Promise.all(calls.map((call) => start(call))),
  );

  expect(deliveries.sort()).toEqual([0, 1]);
});

test('the first call of a second model group does not start its job again', async () => {
  const [first, second] = [await given.modelGroup(), await given.modelGroup()];
  const team = { ...(await given.team({ model_groups: [first, second] })), modelGroup: first };
  const job = await givenJob(team);

  const deliveries = [
    await start(await insertUnsentCall(gateway.current, team, job)),
    await start(await insertUnsentCall(gateway.current, { ...team, modelGroup: second }, job)),
  ];

  expect(deliveries).toEqual([1, 0]);
});

test('a call that is started without the instruction to start its job starts a pending one and records its model group', async () => {
  const access_groups = [await given.accessGroup()];
  const alias = await given.alias({ access_groups });
  const team = await given.team({ access_groups });
  const job = await givenJob(team);
  const startsJob = false;

  const deliveries = [
    await start(await insertUnsentCall(gateway.current, { ...team, modelGroup: alias }, job), { startsJob }),
    await start(await insertUnsentCall(gateway.current, team, job), { startsJob }),
  ];

  expect(deliveries).toEqual([1, 0]);
  expect(await read(job)).toMatchObject({ status: 'in_progress', model_groups_used: [team.modelGroup] });
});

test('neither a call that has ended nor an attempt that has started starts again', async () => {
  const team = await given.team();
  const call = await insertUnsentCall(gateway.current, team, await givenJob(team));

  const started = [await startAs(call, { workerAttempt: 1 }), await startAs(call, { workerAttempt: 1 })];
  await closeCall(gateway.current.deps.database, call, 'failed', 'cancelled');
  const late = await startAs(call, { workerAttempt: 2 });

  expect([...started, late].map((one) => one.is_started)).toEqual([true, false, false]);
});

test('an attempt that waits while a later attempt starts does not start', async () => {
  const team = await given.team();
  const call = await insertUnsentCall(gateway.current, team, await givenJob(team));
  const later = `update calls set status = 'running', worker_attempt = 2 where call_id = $1`;

  const earlier = await besideUncommitted(gateway.current, { sql: later, values: [call], waiting: 1 }, () =>
    startAs(call, { workerAttempt: 1 }),
  );

  expect(earlier.is_started).toBe(false);
});

test('a call starts with the current key of its team, not with a rotated key in its grace period', async () => {
  const { database, secrets } = gateway.current.deps;
  const team = await given.team();
  const rotation = await given.admin('post', `/api/teams/${team.teamId}/rotate-key`, { grace_seconds: 3_600 });
  const rotated = { ...team, key: rotation.virtual_key };
  const job = await givenJob(rotated);
  const keyOfCall = async () => {
    const { key_sealed } = await startAs(await insertUnsentCall(gateway.current, rotated, job), {});
    return secrets.open(key_sealed!, team.teamId);
  };

  // In whatever order the table holds them.
  for (const written of ['expires_at is null', 'expires_at is not null']) {
    await database.pool.query(`update virtual_keys set created_at = created_at where ${written}`);

    expect(await keyOfCall()).toBe(rotated.key);
  }
});

test.each([
  ['the first call of a job', { startsJob: true }],
  ['a later call', { startsJob: false }],
])(
  'the start of %s returns its request, and no text of it where the request was sent before',
  async (_, { startsJob }) => {
    const team = await given.team();
    const job = await givenJob(team);
    if (!startsJob) await start(await insertUnsentCall(gateway.current, team, job));
    const startNext = async (hasRequest: boolean) =>
      startAs(await insertUnsentCall(gateway.current, team, job), { startsJob, hasRequest });

    const [read, sent] = [await startNext(false), await startNext(true)];

    expect(read.request).toContain('messages');
    expect(sent).toMatchObject({ request: null, options: null, request_bytes: read.request_bytes, is_started: true });
  },
);

test('the attempt of a request that was sent early goes when its call is started, and stays when the call has ended before', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = await givenJob(team);
  const [started, ended] = [
    await insertUnsentCall(gateway.current, team, job),
    await insertUnsentCall(gateway.current, team, job),
  ];
  for (const call of [started, ended]) expect(await insertEarlyAttempt(database, call)).toBe(true);
  await closeCall(database, ended, 'refused', 'completed');

  for (const call of [started, ended]) await start(call, { startsJob: false, hasRequest: true });

  const { rows } = await database.pool.query('select call_id from call_attempts where call_id = any ($1)', [
    [started, ended],
  ]);
  expect(rows).toEqual([{ call_id: ended }]);
});
