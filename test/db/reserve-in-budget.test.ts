import { randomUUID } from 'node:crypto';
import { admitCallToJob } from '../../src/db/calls/admit-call-to-job.ts';
import { admitCallToTask } from '../../src/db/calls/admit-call-to-task.ts';
import { retractCalls } from '../../src/db/calls/retract-calls.ts';
import { insertJob, type NewJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../support/given.ts';
import { besideUncommitted } from '../support/locks.ts';
import { newCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const givenJob = async (team: GivenTeam, budget: NewJob['budget']): Promise<NewJob> => {
  const job = { ...newJob(team), budget: budget ?? null };
  await insertJob(gateway.current.deps.database, job);
  return job;
};
/** Reserves 20 tokens for the prompt and 80 for the answer. */
const callIn = (team: GivenTeam, { job_id }: NewJob) => ({
  ...newCall(gateway.current, team),
  job_id,
  output_tokens: 80,
});
const admit = (team: GivenTeam, job: NewJob, call = callIn(team, job)) =>
  admitCallToJob(gateway.current.deps.database, call);
const heldBy = async ({ job_id }: NewJob) => {
  const { rows } = await gateway.current.deps.database.pool.query(
    'select count(*)::int as calls, sum(held_tokens)::int as tokens from calls where job_id = $1',
    [job_id],
  );
  return rows[0];
};

test('of 640 calls at once where 37 fit exactly 37 are admitted, in each round (spec 23.7)', async () => {
  const team = await given.team();
  for (let round = 1; round <= 2; round += 1) {
    const job = await givenJob(team, { max_tokens: 3_799 });

    const admissions = await Promise.all(Array.from({ length: 640 }, () => admit(team, job)));

    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(37);
    expect(new Set(admissions.map(({ refusal }) => refusal))).toEqual(new Set([null, 'job_budget_held']));
    expect(await heldBy(job)).toEqual({ calls: 37, tokens: 3_700 });
  }
});

test('of many calls of a task at once as many are admitted as fit into the job that the first of them makes (spec 23.7)', async () => {
  const team = await given.team({ job_budget_defaults: { max_calls: 3 } });
  const external_task_id = unique('task');

  const admissions = await Promise.all(
    Array.from({ length: 30 }, () =>
      admitCallToTask(
        gateway.current.deps.database,
        { ...newJob(team), external_task_id },
        newCall(gateway.current, team),
      ),
    ),
  );

  expect(admissions.filter((one) => one!.admitted)).toHaveLength(3);
  expect(admissions.filter((one) => one!.refusal === 'job_budget_reached')).toHaveLength(27);
});

test('a call that waits for another admission sums what that has reserved (spec 23.7)', async () => {
  const team = await given.team();
  const job = await givenJob(team, { max_tokens: 150 });
  const other = {
    sql: `with locked as (select reserve_in_budget($1, $2, jsonb_build_object('candidates', '[{"model": "a"}]'::jsonb, 'prompt_tokens', 20, 'output_tokens', 80)) as made)
      insert into calls (call_id, job_id, team_id, requested_model, streamed, candidates, resolved_model, held_usd, held_tokens)
      select $2, $1, $3, 'a', false, '[]', 'a', 0, (made ->> 'held_tokens')::bigint from locked`,
    values: [job.job_id, randomUUID(), team.teamId],
    waiting: 1,
  };

  const admission = await besideUncommitted(gateway.current, other, () => admit(team, job));

  expect(admission).toMatchObject({
    admitted: false,
    refusal: 'job_budget_held',
    reservation: { held: 100, needed: 100 },
  });
});

test('executions of one request at the same time reserve once, also where the call fits only once (spec 23.7)', async () => {
  const team = await given.team();
  const job = await givenJob(team, { max_tokens: 150, max_calls: 1 });
  const call = callIn(team, job);

  const admissions = await Promise.all([1, 2, 3, 4].map(() => admit(team, job, call)));

  expect(admissions.map(({ refusal }) => refusal)).toEqual([null, null, null, null]);
  expect(await admit(team, job, call)).toMatchObject({
    admitted: true,
    reservation: { view: { held: { tokens: 100 } } },
  });
  expect(await heldBy(job)).toEqual({ calls: 1, tokens: 100 });
});

test('a retracted call releases what it has reserved (spec 23.7)', async () => {
  const team = await given.team();
  const job = await givenJob(team, { max_tokens: 100 });
  const call = callIn(team, job);
  await admit(team, job, call);

  await retractCalls(gateway.current.deps.database, [{ id: call.call_id, operation: undefined }], { isOwn: true });

  expect(await admit(team, job)).toMatchObject({ admitted: true });
});

test('calls of a task and retractions of the job that is made for it do not wait for each other', async () => {
  const team = await given.team({ job_budget_defaults: { max_calls: 100 } });
  const { database } = gateway.current.deps;
  const deadlocks = async () =>
    (await database.pool.query('select deadlocks::int from pg_stat_database where datname = current_database()'))
      .rows[0].deadlocks;
  const before = await deadlocks();
  const external_task_id = unique('task');

  await Promise.all(
    Array.from({ length: 60 }, async () => {
      const call = newCall(gateway.current, team);
      await admitCallToTask(database, { ...newJob(team), external_task_id }, call).catch(() => undefined);
      await retractCalls(database, [{ id: call.call_id, operation: undefined }], { isOwn: true });
    }),
  );

  expect((await deadlocks()) - before).toBe(0);
});
