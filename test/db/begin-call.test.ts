import { type Beginning, beginCall } from '../../src/db/calls/begin-call.ts';
import { closeCall } from '../../src/db/calls/close-call.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { besideUncommitted } from '../support/locks.ts';
import { insertUnsentCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

/** Of a team that is told when a job starts. */
async function givenJob(team: GivenTeam): Promise<string> {
  const webhook = { team_id: team.teamId, webhook_url: 'https://example.com/hook', events: ['job.started'] };
  expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const job = newJob(team);
  await insertJob(gateway.current.deps.database, job);
  return job.job_id;
}

const beginAs = async (call: string, beginning: Partial<Beginning>) =>
  (await beginCall(gateway.current.deps.database, call, {
    attempt: 1,
    startsJob: true,
    jobStartedAt: new Date(),
    ...beginning,
  }))!;

/** How often the team is told of it. */
const begin = async (call: string, beginning: Partial<Beginning> = {}) =>
  (await beginAs(call, beginning)).delivery_ids.length;

async function read(job: string) {
  const { rows } = await gateway.current.deps.database.pool.query('select * from jobs where job_id = $1', [job]);
  return rows[0];
}

test('two first calls that begin at once start their job once', async () => {
  const team = await given.team();
  const job = await givenJob(team);
  const calls = [
    await insertUnsentCall(gateway.current, team, job),
    await insertUnsentCall(gateway.current, team, job),
  ];
  const held = { sql: 'select from jobs where job_id = $1 for update', values: [job], waiting: 2 };

  const told = await besideUncommitted(gateway.current, held, () => Promise.all(calls.map((call) => begin(call))));

  expect(told.sort()).toEqual([0, 1]);
});

test('a call of a further model group does not start its job again', async () => {
  const [first, second] = [await given.modelGroup(), await given.modelGroup()];
  const team = { ...(await given.team({ model_groups: [first, second] })), modelGroup: first };
  const job = await givenJob(team);

  const told = [
    await begin(await insertUnsentCall(gateway.current, team, job)),
    await begin(await insertUnsentCall(gateway.current, { ...team, modelGroup: second }, job)),
  ];

  expect(told).toEqual([1, 0]);
});

test('what a call makes of its job is recorded though the call is not known to be the first', async () => {
  const access_groups = [await given.accessGroup()];
  const alias = await given.alias({ access_groups });
  const team = await given.team({ access_groups });
  const job = await givenJob(team);
  const startsJob = false;

  const told = [
    await begin(await insertUnsentCall(gateway.current, { ...team, modelGroup: alias }, job), { startsJob }),
    await begin(await insertUnsentCall(gateway.current, team, job), { startsJob }),
  ];

  expect(told).toEqual([1, 0]);
  expect(await read(job)).toMatchObject({ status: 'in_progress', model_groups_used: [team.modelGroup] });
});

test('a call that has ended does not begin again, nor does an attempt that has begun', async () => {
  const team = await given.team();
  const call = await insertUnsentCall(gateway.current, team, await givenJob(team));

  const begun = [await beginAs(call, { attempt: 1 }), await beginAs(call, { attempt: 1 })];
  await closeCall(gateway.current.deps.database, call, 'failed', 'cancelled');
  const late = await beginAs(call, { attempt: 2 });

  expect([...begun, late].map((one) => one.begun)).toEqual([true, false, false]);
});

test('an attempt that waited for a later one to begin does not begin', async () => {
  const team = await given.team();
  const call = await insertUnsentCall(gateway.current, team, await givenJob(team));
  const later = `update calls set status = 'running', worker_attempt = 2 where call_id = $1`;

  const earlier = await besideUncommitted(gateway.current, { sql: later, values: [call], waiting: 1 }, () =>
    beginAs(call, { attempt: 1 }),
  );

  expect(earlier.begun).toBe(false);
});

test('a call is made with the current key of its team, not with one in its grace', async () => {
  const { database, secrets } = gateway.current.deps;
  const team = await given.team();
  const rotation = await given.admin('post', `/api/teams/${team.teamId}/rotate-key`, { grace_seconds: 3_600 });
  const rotated = { ...team, key: rotation.virtual_key };
  const job = await givenJob(rotated);
  const keyOfCall = async () => {
    const { key_sealed } = await beginAs(await insertUnsentCall(gateway.current, rotated, job), {});
    return secrets.open(key_sealed!, team.teamId);
  };

  // In whatever order the table holds them.
  for (const written of ['expires_at is null', 'expires_at is not null']) {
    await database.pool.query(`update virtual_keys set created_at = created_at where ${written}`);

    expect(await keyOfCall()).toBe(rotated.key);
  }
});
