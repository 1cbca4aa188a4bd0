import { beginCall } from '../../src/db/queries/begin-call.ts';
import { insertJob } from '../../src/db/queries/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../support/given.ts';
import { besideUncommitted } from '../support/locks.ts';
import { newJob, recordCall } from '../support/records.ts';

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

/** How often the team is told of it. */
async function begin(call: string): Promise<number> {
  const beginning = { attempt: 1, startsJob: true, jobStartedAt: new Date() };
  return (await beginCall(gateway.current.deps.database, call, beginning))!.delivery_ids.length;
}

test('two first calls that begin at once start their job once', async () => {
  const team = await given.team();
  const job = await givenJob(team);
  const calls = [await recordCall(gateway.current, team, job), await recordCall(gateway.current, team, job)];
  const held = { sql: 'select from jobs where job_id = $1 for update', values: [job], waiting: 2 };

  const told = await besideUncommitted(gateway.current, held, () => Promise.all(calls.map(begin)));

  expect(told.sort()).toEqual([0, 1]);
});

test('a call of a further model group does not start its job again', async () => {
  const [first, second] = [await given.modelGroup(), await given.modelGroup()];
  const team = { ...(await given.team({ model_groups: [first, second] })), modelGroup: first };
  const job = await givenJob(team);

  const told = [
    await begin(await recordCall(gateway.current, team, job)),
    await begin(await recordCall(gateway.current, { ...team, modelGroup: second }, job)),
  ];

  expect(told).toEqual([1, 0]);
});
