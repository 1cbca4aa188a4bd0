import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readCallResult } from '../../src/db/calls/read-call-result.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import type { Sweep } from '../../src/db/maintenance/sweep-cursors.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { maintain } from '../support/maintain.ts';
import { insertUnsentCall, newJob } from '../support/unsent-work.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
/** Milliseconds after which a round reads a record: its process would have sent it by then. */
const longerThanSettled = 11_000;

test('a job whose start was not sent is started by the next round', async () => {
  const jobId = await recordJob(await given.team());

  await maintain(gateway.current);

  expect(await statusOfWorkflow(jobId)).toBe('RUNNING');
});

test('a call whose signal was not sent is made once, by the next round', async () => {
  const model = 'sim-ok-as-unsent';
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

test('a single-call job whose start was not sent is started by the next round, and ends with its call', async () => {
  const { pool } = gateway.current.deps.database;
  const team = await given.team({ models: ['sim-fail-400'] });
  const jobId = await recordJob(team);
  await pool.query('update jobs set single_call = true, ends_with_call = true where job_id = $1', [jobId]);
  await recordOldCall(team, jobId);

  await maintain(gateway.current);

  await until(async () => expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`)).status === 'failed');
});

test('a call whose signal was not sent before its job ended is refused with the error of that end', async () => {
  const team = await given.team();
  const jobId = await given.job(team);
  const callId = await recordOldCall(team, jobId);
  expectOk(await as(gateway, team).post(`/api/jobs/${jobId}/cancel`));

  await maintain(gateway.current);

  const { database } = gateway.current.deps;
  expect(await readCallResult(database, callId)).toEqual({ status: 'refused', error: 'cancelled' });
});

test('a call that a round failed to end is ended by the next round', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const jobId = await given.job(team);
  const callId = await recordOldCall(team, jobId);
  expectOk(await as(gateway, team).post(`/api/jobs/${jobId}/cancel`));
  await database.pool.query(`
    create function stay_open() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger stay_open before update on calls for each row execute function stay_open()`);
  await maintain(gateway.current);
  const before = await readCallResult(database, callId);
  await database.pool.query('drop trigger stay_open on calls');

  await maintain(gateway.current);

  expect([before, await readCallResult(database, callId)]).toEqual([
    undefined,
    { status: 'refused', error: 'cancelled' },
  ]);
});

test('a job whose start was not sent accepts a call and a completion', async () => {
  const team = await given.team();
  const jobId = await recordJob(team);

  expectOk(await as(gateway, team).call(jobId));

  expect(expectOk(await as(gateway, team).complete(jobId)).costs).toMatchObject({ total_calls: 1 });
});

test('a round advances its cursor when it finds no unsent call', async () => {
  await maintain(gateway.current);

  expect(await secondsBehind('unsent calls')).toBeLessThan(60);
});

test('a job whose insert commits after a round that has read its time is found by the next round', async () => {
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

test('a call whose insert commits long after its client was answered 503 is retracted, also when a round reads it before', async () => {
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

  const calls = async () => (await deps.database.pool.query('select from calls where call_id = $1', [callId])).rowCount;
  await until(async () => (await calls()) === 0);
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

/** The record of a process that died after its first statement, a minute old. */
async function recordJob(team: GivenTeam): Promise<string> {
  const { database } = gateway.current.deps;
  const job = newJob(team);
  await insertJob(database, job);
  await dateBack('jobs', 'job_id', job.job_id);
  return job.job_id;
}

async function recordOldCall(team: GivenTeam, jobId: string): Promise<string> {
  const call_id = await insertUnsentCall(gateway.current, team, jobId, { streamed: false });
  await dateBack('calls', 'call_id', call_id);
  return call_id;
}

/** Makes a record a minute older, and deletes the cursors of the rounds. */
async function dateBack(table: 'jobs' | 'calls', idColumn: string, id: string): Promise<void> {
  const { pool } = gateway.current.deps.database;
  await pool.query(`update ${table} set created_at = created_at - interval '1 minute' where ${idColumn} = $1`, [id]);
  await pool.query(`delete from sweep_cursors where name like 'unsent %'`);
}
