import { admitCallToTask } from '../../src/db/calls/admit-call-to-task.ts';
import type { NewJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn, unique } from '../support/given.ts';
import { besideUncommitted } from '../support/locks.ts';
import { newCall, newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

interface TaskOfTeam {
  team: GivenTeam;
  taskId: string;
}

const givenTask = async (): Promise<TaskOfTeam> => ({ team: await given.team(), taskId: unique('task') });
const jobOfTask = ({ team, taskId }: TaskOfTeam): NewJob => ({ ...newJob(team), external_task_id: taskId });

const admit = (task: TaskOfTeam, job = jobOfTask(task)) =>
  admitCallToTask(gateway.current.deps.database, job, newCall(gateway.current, task.team));

/** The insertion of a job for a task, as one text: of several statements, a transaction takes no values. */
const insertion = ({ job_id, team_id, organization_id, job_type, external_task_id }: NewJob) =>
  `insert into jobs (job_id, team_id, organization_id, job_type, external_task_id, for_task)
   values ('${job_id}', '${team_id}', '${organization_id}', '${job_type}', '${external_task_id}', true);`;
const end = ({ job_id }: NewJob) =>
  `update jobs set status = 'completed', completed_at = now() where job_id = '${job_id}';`;

const beside = <T>(sql: string, work: () => Promise<T>, other: { waiting: number; end?: 'rollback' }) =>
  besideUncommitted(gateway.current, { sql, values: [], ...other }, work);

async function countsOf({ team }: TaskOfTeam) {
  const { rows } = await gateway.current.deps.database.pool.query(
    `select (select count(*) from jobs where team_id = $1)::int as jobs, (select count(*) from calls where team_id = $1)::int as calls`,
    [team.teamId],
  );
  return rows[0];
}

test('a first call that waits for the job of another first call joins that job', async () => {
  const task = await givenTask();
  const first = jobOfTask(task);

  const admission = await beside(insertion(first), () => admit(task), { waiting: 1 });

  expect(admission).toMatchObject({ job: { job_id: first.job_id }, created: false, refusal: null });
  expect(await countsOf(task)).toEqual({ jobs: 1, calls: 1 });
});

test('of two first calls that wait for a job whose insert is rolled back, one creates the job and the other joins it', async () => {
  const task = await givenTask();
  const both = () => Promise.all([admit(task), admit(task)]);

  const admissions = await beside(insertion(jobOfTask(task)), both, { waiting: 2, end: 'rollback' });

  expect(admissions.map((one) => one!.created).sort()).toEqual([false, true]);
  expect(new Set(admissions.map((one) => one!.job!.job_id)).size).toBe(1);
  expect(await countsOf(task)).toEqual({ jobs: 1, calls: 2 });
});

test('a first call that waits for a job which has ended at its commit creates a job of its own', async () => {
  const task = await givenTask();
  const [ended, own] = [jobOfTask(task), jobOfTask(task)];

  const admission = await beside(insertion(ended) + end(ended), () => admit(task, own), { waiting: 1 });

  expect(admission).toMatchObject({ job: { job_id: own.job_id }, created: true, refusal: null });
  expect(await countsOf(task)).toEqual({ jobs: 2, calls: 1 });
});

test('a call joins a job whose end is not committed without waiting, and a call after the commit creates a job', async () => {
  const task = await givenTask();
  const job = jobOfTask(task);
  await admit(task, job);

  const during = await beside(end(job), () => admit(task), { waiting: 0 });
  const after = await admit(task);

  // Its workflow refuses it, and it is made again in the next job.
  expect(during).toMatchObject({ job: { job_id: job.job_id }, created: false });
  expect(after).toMatchObject({ created: true });
  expect(await countsOf(task)).toEqual({ jobs: 2, calls: 3 });
});

test('a call that is admitted twice at once is recorded once, and both admissions return the same job', async () => {
  const task = await givenTask();
  const job = jobOfTask(task);
  const call = newCall(gateway.current, task.team);
  const { database } = gateway.current.deps;
  const both = () => Promise.all([admitCallToTask(database, job, call), admitCallToTask(database, job, call)]);

  const admissions = await beside(insertion(jobOfTask(task)), both, { waiting: 2, end: 'rollback' });

  expect(admissions.map((one) => one!.job!.job_id)).toEqual([job.job_id, job.job_id]);
  expect(await countsOf(task)).toEqual({ jobs: 1, calls: 1 });
});
