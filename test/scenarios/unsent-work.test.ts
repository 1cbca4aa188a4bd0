import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readCallEnd } from '../../src/db/calls/read-call-end.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import type { Sweep } from '../../src/db/maintenance/sweep-cursors.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { maintain } from '../support/maintain.ts';
import { newJob, recordCall } from '../support/records.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
/** Ms. A record this old is looked at: whoever made it would have sent it by then. */
const longerThanSettled = 11_000;

test('a job whose start was lost is started by the next round', async () => {
  const jobId = await recordJob(await given.team());

  await maintain(gateway.current);

  expect(await statusOfWorkflow(jobId)).toBe('RUNNING');
});

test('a call whose signal was lost is made by the next round, once', async () => {
  const model = 'sim-ok-as-forgotten';
  const team = await given.team({ models: [model] });
  const jobId = await recordJob(team);
  const callId = await recordOldCall(team, jobId);

  await maintain(gateway.current);
  await maintain(gateway.current);

  await until(async () => {
    const { breakdown } = expectOk(await as(gateway, team).get(`/api/jobs/${jobId}/costs`));
    return breakdown.some((call: { call_id: string; error: string | null }) => call.call_id === callId && !call.error);
  });
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  expect(expectOk(await as(gateway, team).complete(jobId)).costs).toMatchObject({
    total_calls: 1,
    credit_applied: true,
  });
});

test('a single-call job whose start was lost is made by the next round, and ends with its call', async () => {
  const { pool } = gateway.current.deps.database;
  const team = await given.team({ models: ['sim-fail-400'] });
  const jobId = await recordJob(team);
  await pool.query('update jobs set single_call = true, ends_with_call = true where job_id = $1', [jobId]);
  await recordOldCall(team, jobId);

  await maintain(gateway.current);

  await until(async () => expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`)).status === 'failed');
});

test('a call whose signal was lost until its job had ended is refused in the words of that end', async () => {
  const team = await given.team();
  const jobId = await given.job(team);
  const callId = await recordOldCall(team, jobId);
  expectOk(await as(gateway, team).post(`/api/jobs/${jobId}/cancel`));

  await maintain(gateway.current);

  const { database } = gateway.current.deps;
  expect(await readCallEnd(database, callId)).toEqual({ status: 'refused', error: 'cancelled' });
});

test('a call that a round could not end is looked at by the next one too', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const jobId = await given.job(team);
  const callId = await recordOldCall(team, jobId);
  expectOk(await as(gateway, team).post(`/api/jobs/${jobId}/cancel`));
  await database.pool.query(`
    create function stay_open() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger stay_open before update on calls for each row execute function stay_open()`);
  await maintain(gateway.current);
  const before = await readCallEnd(database, callId);
  await database.pool.query('drop trigger stay_open on calls');

  await maintain(gateway.current);

  expect([before, await readCallEnd(database, callId)]).toEqual([undefined, { status: 'refused', error: 'cancelled' }]);
});

test('a job that never had a workflow can be used as if it had', async () => {
  const team = await given.team();
  const jobId = await recordJob(team);

  expectOk(await as(gateway, team).call(jobId));

  expect(expectOk(await as(gateway, team).complete(jobId)).costs).toMatchObject({ total_calls: 1 });
});

test('a round goes on where the last one has looked, whether it found something or not', async () => {
  await maintain(gateway.current);

  expect(await secondsBehind('unsent jobs')).toBeLessThan(60);
  expect(await secondsBehind('unsent calls')).toBeLessThan(60);
});

test('a job whose record shows only after rounds that looked at its time is found', async () => {
  const { teamId, organizationId } = await given.team();
  const jobId = randomUUID();
  const slow = await gateway.current.deps.database.pool.connect();
  await slow.query('begin');
  await slow.query('insert into jobs (job_id, team_id, organization_id, job_type) values ($1, $2, $3, $4)', [
    jobId,
    teamId,
    organizationId,
    'report',
  ]);
  await pause(longerThanSettled);
  await maintain(gateway.current);
  await slow.query('commit');
  slow.release();

  await maintain(gateway.current);

  expect(await statusOfWorkflow(jobId)).toBe('RUNNING');
});

test('a call whose record shows long after its client was told 503 is taken back, and not made by a round that sees it first', async () => {
  const { deps, simulator } = gateway.current;
  const model = 'sim-ok-as-late';
  const team = await given.team({ models: [model] });
  const job_id = await given.job(team);
  const callId = randomUUID();
  const slow = await deps.database.pool.connect();
  await slow.query('begin');
  await slow.query(
    `insert into calls (call_id, job_id, team_id, requested_model, streamed, model_group_used, candidates, resolved_model)
     values ($1, $2, $3, $4, false, $4, $5, $6)`,
    [callId, job_id, team.teamId, team.modelGroup, JSON.stringify([{ model }]), model],
  );

  deps.retractions.later({ callId });
  await pause(longerThanSettled);
  await slow.query('commit');
  slow.release();
  await maintain(gateway.current);

  await until(
    () => readCallEnd(deps.database, callId),
    (end) => end?.status === 'retracted',
  );
  await maintain(gateway.current);
  expect(simulator.requestsFor({ model })).toEqual([]);
});

async function statusOfWorkflow(jobId: string): Promise<string> {
  const handle = gateway.current.deps.temporal.client.workflow.getHandle(`job-${jobId}`);
  return (await handle.describe()).status.name;
}

async function secondsBehind(sweep: Sweep): Promise<number | undefined> {
  const { rows } = await gateway.current.deps.database.pool.query<{ behind: number }>(
    'select extract(epoch from now() - done_until)::float8 as behind from sweep_cursors where name = $1',
    [sweep],
  );
  return rows[0]?.behind;
}

/** What is left of a process that died after its first statement: the record, a minute old. */
async function recordJob(team: GivenTeam): Promise<string> {
  const { database } = gateway.current.deps;
  const job = newJob(team);
  await insertJob(database, job);
  await dateBack('jobs', 'job_id', job.job_id);
  return job.job_id;
}

async function recordOldCall(team: GivenTeam, jobId: string): Promise<string> {
  const call_id = await recordCall(gateway.current, team, jobId, { streamed: false });
  await dateBack('calls', 'call_id', call_id);
  return call_id;
}

/** By a minute, in which no round has looked. */
async function dateBack(table: 'jobs' | 'calls', idColumn: string, id: string): Promise<void> {
  const { pool } = gateway.current.deps.database;
  await pool.query(`update ${table} set created_at = created_at - interval '1 minute' where ${idColumn} = $1`, [id]);
  await pool.query(`delete from sweep_cursors where name like 'unsent %'`);
}
