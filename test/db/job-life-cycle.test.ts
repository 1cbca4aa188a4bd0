import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { startCall } from '../../src/db/calls/start-call.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import { canBecome, finalJobStatuses, isFinished, type JobStatus, jobStatuses } from '../../src/domain/job-state.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { besideUncommitted } from '../support/locks.ts';

const { database } = await databaseForTests();
const team = 'team';
beforeAll(async () => {
  await database.pool.query(`
    insert into organizations (organization_id, name) values ('${team}', 'Acme');
    insert into teams (team_id, organization_id, proxy_team_id) values ('${team}', '${team}', '${team}');
    insert into credit_accounts (team_id, organization_id) values ('${team}', '${team}')`);
});

/** A way in which a statement changes the status of a job, whose one call has its id. */
interface Change {
  file: string;
  to: JobStatus;
  execute(jobId: string): Promise<unknown>;
}

const changes: Record<string, Change> = {
  'the start of a call': {
    file: 'calls/start-call.ts',
    to: 'in_progress',
    execute: (job) => startCall(database, job, { workerAttempt: 1, startsJob: true, jobStartedAt: new Date() }),
  },
  ...Object.fromEntries(
    finalJobStatuses.map((to): [string, Change] => [
      `the settlement as ${to}`,
      {
        file: 'jobs/settle-job.ts',
        to,
        execute: (job) => settleJob(database, { ...endAsRecorded(job, to, null), credits: 1 }),
      },
    ]),
  ),
};

const columnsOf = (status: JobStatus): string =>
  `status = '${status}', completed_at = ${isFinished(status) ? 'now()' : 'null'}`;

async function givenJob(status: JobStatus): Promise<string> {
  const id = randomUUID();
  await database.pool.query(`
    insert into jobs (job_id, team_id, organization_id, job_type) values ('${id}', '${team}', '${team}', 'report');
    insert into calls (call_id, job_id, team_id, requested_model, candidates, resolved_model, streamed)
    values ('${id}', '${id}', '${team}', 'smart', '[]', 'gpt-4o', false);
    update jobs set ${columnsOf(status)} where job_id = '${id}'`);
  return id;
}

async function read(jobId: string): Promise<{ status: JobStatus }> {
  const { rows } = await database.pool.query('select * from jobs where job_id = $1', [jobId]);
  return rows[0];
}

const pairs = Object.keys(changes).flatMap((by) => jobStatuses.map((from) => ({ by, from, change: changes[by]! })));

test.each(pairs.filter(({ from, change }) => canBecome(from, change.to)))(
  '$by makes a job that is $from $change.to (spec 3.12)',
  async ({ from, change }) => {
    const job = await givenJob(from);

    await change.execute(job);

    expect((await read(job)).status).toBe(change.to);
  },
);

test.each(pairs.filter(({ from, change }) => !canBecome(from, change.to)))(
  '$by changes nothing of a job that is $from (spec 3.12)',
  async ({ from, change }) => {
    const job = await givenJob(from);
    const before = await read(job);

    await change.execute(job);

    expect(await read(job)).toEqual(before);
  },
);

test.each(Object.keys(changes))(
  '%s changes nothing of a job that another transaction ends while it waits',
  async (by) => {
    const job = await givenJob('pending');
    const end = { sql: `update jobs set ${columnsOf('failed')} where job_id = $1`, values: [job], waiting: 1 };

    await besideUncommitted({ deps: { database } }, end, () => changes[by]!.execute(job));

    expect(await read(job)).toMatchObject({ status: 'failed', started_at: null, credit_applied: false });
  },
);

test('every statement that sets the status of a job is tested in this file', () => {
  const files = readdirSync('src/db', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const setting = files.filter((name) =>
    [...readFileSync(`src/db/${name}`, 'utf8').matchAll(/\bupdate jobs\b(.*?)\b(?:where|from)\b/gs)].some(
      ([, assignments]) => /\bstatus = /.test(assignments!),
    ),
  );

  expect(setting.sort()).toEqual([...new Set(Object.values(changes).map(({ file }) => file))].sort());
});
