import { randomUUID } from 'node:crypto';
import { admitCall } from '../../src/db/queries/admit-call.ts';
import { insertJob } from '../../src/db/queries/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../support/given.ts';
import { maintain } from '../support/maintain.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('a job whose start was lost is started by the next round', async () => {
  const jobId = await recordJob(await given.team());

  await maintain(gateway.current);

  const handle = gateway.current.deps.temporal.client.workflow.getHandle(`job-${jobId}`);
  expect((await handle.describe()).status.name).toBe('RUNNING');
});

test('a call whose signal was lost is made by the next round, once', async () => {
  const model = 'sim-ok-as-forgotten';
  const team = await given.team({ models: [model] });
  const jobId = await recordJob(team);
  const callId = await recordCall(team, jobId);

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

test('a job that never had a workflow can be used as if it had', async () => {
  const team = await given.team();
  const jobId = await recordJob(team);

  expectOk(await as(gateway, team).call(jobId));

  expect(expectOk(await as(gateway, team).complete(jobId)).costs).toMatchObject({ total_calls: 1 });
});

test('a round goes on where the last one has looked, whether it found something or not', async () => {
  const { database } = gateway.current.deps;
  const secondsBehind = async () => {
    const { rows } = await database.pool.query<{ name: string; behind: number }>(
      `select name, extract(epoch from now() - done_until)::float8 as behind from sweeps where name like 'forgotten %' order by name`,
    );
    return rows.map(({ name, behind }) => [name, behind < 120]);
  };

  await maintain(gateway.current);

  expect(await secondsBehind()).toEqual([
    ['forgotten calls', true],
    ['forgotten jobs', true],
  ]);
});

/** What is left of a process that died after its first statement: the record, a minute old. */
async function recordJob(team: GivenTeam): Promise<string> {
  const { database } = gateway.current.deps;
  const job_id = randomUUID();
  await insertJob(database, {
    job_id,
    team_id: team.teamId,
    organization_id: team.organizationId,
    user_id: null,
    job_type: 'report',
    external_task_id: null,
    metadata: {},
  });
  await database.pool.query(`update jobs set created_at = created_at - interval '1 minute' where job_id = $1`, [
    job_id,
  ]);
  return job_id;
}

async function recordCall(team: GivenTeam, job_id: string): Promise<string> {
  const { database, secrets } = gateway.current.deps;
  const call_id = randomUUID();
  await admitCall(database, {
    call_id,
    job_id,
    team_id: team.teamId,
    requested_model: team.modelGroup,
    purpose: null,
    streamed: false,
    call_metadata: null,
    request: JSON.stringify({ messages: hello }),
    key: { hash: secrets.lookupHash(team.key), rpm_limit: null, tpm_limit: null },
  });
  await database.pool.query(`update calls set created_at = created_at - interval '1 minute' where call_id = $1`, [
    call_id,
  ]);
  return call_id;
}
