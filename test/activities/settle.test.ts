import type { ActivityDeps } from '../../activities/deps.ts';
import { createSettlementActivities } from '../../activities/settlements.ts';
import { insertJob } from '../../src/db/queries/insert-job.ts';
import { createWaitingLines } from '../../src/waiting-lines.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { givenIn } from '../support/given.ts';
import { newJob } from '../support/records.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('a job whose settlement is repeated is counted once, with its credit', async () => {
  const { deps } = gateway.current;
  const job = newJob(await given.team());
  await insertJob(deps.database, job);
  const settling = { ...deps, settlementLines: createWaitingLines(1) } as unknown as ActivityDeps;
  const { settleJob } = createSettlementActivities(settling);
  const end = { error_message: null, cancel_reason: null, metadata: {}, model_groups_used: [] };
  const settle = () => settleJob({ ...end, status: 'completed', job_id: job.job_id, completed_at: Date.now() });

  const settled = [await settle(), await settle()];

  expect(settled[1]).toEqual(settled[0]);
  expect((await deps.metrics.jobs.get()).values).toMatchObject([{ labels: { status: 'completed' }, value: 1 }]);
  expect((await deps.metrics.credits.get()).values).toMatchObject([{ value: 1 }]);
});
