import { createSettlementActivities } from '../../activities/jobs/settle-job.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { sealEnd } from '../../src/auth/sealed-end.ts';
import { createFairSemaphore } from '../../src/concurrency/fair-semaphore.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { jobEndedInTemporal } from '../../src/domain/job-state.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

function settlements(database: Database = gateway.current.deps.database) {
  const settling = {
    ...gateway.current.deps,
    database,
    settlementSemaphore: createFairSemaphore({ perKey: 1 }),
  } as unknown as ActivityDeps;
  return createSettlementActivities(settling);
}

async function givenJob(): Promise<string> {
  const job = newJob(await given.team());
  await insertJob(gateway.current.deps.database, job);
  return job.job_id;
}

const completion = (job_id: string) => ({
  job_id,
  status: 'completed' as const,
  error_message: null,
  cancel_reason: null,
  metadata: {},
  model_groups_used: [],
  completed_at: Date.now(),
});
const commanded = (job_id: string) => ({
  ...completion(job_id),
  sealed_end: sealEnd(gateway.current.deps.secrets, job_id, { status: 'completed' }),
});

test('a job that is settled twice is counted once, with its credit', async () => {
  const { deps } = gateway.current;
  const job_id = await givenJob();
  const { settleJob } = settlements();

  const settled = [await settleJob(commanded(job_id)), await settleJob(commanded(job_id))];

  expect(settled[1]).toEqual(settled[0]);
  expect((await deps.metrics.jobs.get()).values).toMatchObject([{ labels: { status: 'completed' }, value: 1 }]);
  expect((await deps.metrics.credits.get()).values).toMatchObject([{ value: 1 }]);
});

test('a completion that nobody commanded and the record does not confirm fails, free of charge', async () => {
  const { database } = gateway.current.deps;
  const job_id = await givenJob();

  const settled = await settlements().settleJob({ ...completion(job_id), ended_by: 'call' });

  expect(settled).toMatchObject({ status: 'failed', credit_applied: false });
  const { rows } = await database.pool.query('select error_message, ended_by from jobs where job_id = $1', [job_id]);
  expect(rows).toEqual([{ error_message: jobEndedInTemporal, ended_by: 'operator' }]);
});

test.each([
  ['that was commanded', commanded, ['record_cost', 'settlement_basis', 'settle_job']],
  ['that the record has to confirm', completion, ['record_cost', 'settlement_basis_and_end', 'settle_job']],
])('the settlement of a completion %s is three statements', async (_, inputOf, expected) => {
  const { database } = gateway.current.deps;
  const job_id = await givenJob();
  const names: (string | undefined)[] = [];
  const counting: Database = {
    ...database,
    query: (statement, values) => {
      names.push(statement.name);
      return database.query(statement, values);
    },
  };

  await settlements(counting).settleJob(inputOf(job_id));

  expect(names).toEqual(expected);
});
