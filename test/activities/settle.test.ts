import { createSettlementActivities } from '../../activities/jobs/settle-job.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { createFairSemaphore } from '../../src/concurrency/fair-semaphore.ts';
import { insertJob } from '../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { newJob } from '../support/unsent-work.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

function settlements() {
  const settling = {
    ...gateway.current.deps,
    settlementSemaphore: createFairSemaphore({ perKey: 1 }),
  } as unknown as ActivityDeps;
  return createSettlementActivities(settling);
}

const end = { error_message: null, cancel_reason: null, metadata: {}, model_groups_used: [] };

async function givenJob(): Promise<string> {
  const job = newJob(await given.team());
  await insertJob(gateway.current.deps.database, job);
  return job.job_id;
}

test('a job that is settled twice is counted once, with its credit', async () => {
  const { deps } = gateway.current;
  const job_id = await givenJob();
  const { settleJob } = settlements();
  const settle = () => settleJob({ ...end, status: 'completed', job_id, completed_at: Date.now() });

  const settled = [await settle(), await settle()];

  expect(settled[1]).toEqual(settled[0]);
  expect((await deps.metrics.jobs.get()).values).toMatchObject([{ labels: { status: 'completed' }, value: 1 }]);
  expect((await deps.metrics.credits.get()).values).toMatchObject([{ value: 1 }]);
});

/** A valid entry, from which each case removes or changes one field. */
const entry = {
  audit_id: '00000000-0000-4000-8000-000000000000',
  action: 'cancelled_job',
  resource_type: 'job',
  details: {},
};

test.each([
  'not json',
  'null',
  '{}',
  JSON.stringify({ ...entry, audit_id: 'none' }),
  JSON.stringify({ ...entry, action: null }),
  JSON.stringify({ ...entry, details: { reason: '\0' } }),
])('a job whose cancel signal has the malformed audit entry %s is settled without it', async (audit_entry) => {
  const job_id = await givenJob();

  const settled = await settlements().settleJob({
    ...end,
    audit_entry,
    status: 'cancelled',
    job_id,
    completed_at: Date.now(),
  });

  expect(settled.status).toBe('cancelled');
});
