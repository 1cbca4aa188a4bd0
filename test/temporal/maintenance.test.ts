import { createLog } from '../../src/log.ts';
import { keepMaintenanceRunning, startMaintenance } from '../../src/temporal/commands/maintenance.ts';
import { lastRound } from '../../workflows/contract/messages.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { disappearances, terminations } from '../support/lose-workflow.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();
const maintenance = () => {
  const { client, taskQueue } = gateway.current.deps.temporal;
  return client.workflow.getHandle(`maintenance-${taskQueue}`);
};
afterEach(() => maintenance().terminate());

const steps = [
  'closeOrphanedCalls',
  'deleteExpired',
  'reconcileDeliveries',
  'reconcileJobs',
  'refillTeams',
  'rollBackUncreatedTeams',
  'rollUpCalls',
  'sendUnsentCalls',
  'startOverdueDeliveries',
  'syncTeams',
  'watchAttention',
];

test('maintenance that several workers start runs once, and its rounds execute every step', async () => {
  const { temporal } = gateway.current.deps;
  await Promise.all([startMaintenance(temporal), startMaintenance(temporal)]);
  const { runId } = await maintenance().describe();

  await startMaintenance(temporal);
  const round = await until(
    () => maintenance().query(lastRound),
    (done) => done !== null,
  );

  expect((await maintenance().describe()).runId).toBe(runId);
  expect(Object.keys(round!).sort()).toEqual(steps);
  expect(Object.values(round!).filter((handled) => typeof handled !== 'number')).toEqual([]);
});

test('many rounds of maintenance are one workflow, which continues as new when its history is long', async () => {
  const { temporal } = gateway.current.deps;
  await startMaintenance(temporal, { pause_ms: 10, history_limit: 40 });
  const { runId } = await maintenance().describe();
  await until(async () => (await maintenance().describe()).runId !== runId);

  const { events } = await temporal.client.workflow
    .getHandle(`maintenance-${temporal.taskQueue}`, runId)
    .fetchHistory();

  expect(events!.at(-1)!.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
  const rounds = events!.filter((event) => event.activityTaskCompletedEventAttributes);
  expect(rounds.length).toBeGreaterThanOrEqual(3);
});

test.each(['was terminated', 'was deleted'])('maintenance that %s is started again', async (way) => {
  const { temporal } = gateway.current.deps;
  const isRunning = () =>
    maintenance()
      .describe()
      .then(
        ({ status }) => status.name === 'RUNNING',
        () => false,
      );
  const running = keepMaintenanceRunning(temporal, createLog('silent', 'test'), 100);
  try {
    await until(isRunning);
    const { runId } = await maintenance().describe();
    await { ...terminations, ...disappearances }[way]!(temporal.client, maintenance().workflowId);

    await until(isRunning);

    expect((await maintenance().describe()).runId).not.toBe(runId);
  } finally {
    await running.close();
  }
});
