import { randomUUID } from 'node:crypto';
import { createLog } from '../../src/log.ts';
import { ensureSchedules, maintainSchedules } from '../../src/temporal/commands/schedules.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { disappearances, terminations } from '../support/lose-workflow.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests();

test('the schedule is created once, is not changed afterwards, and starts maintenance', async () => {
  const { temporal } = gateway.current.deps;
  const { client, taskQueue } = temporal;
  const schedule = client.schedule.getHandle(`maintenance-${taskQueue}`);
  try {
    await Promise.all([ensureSchedules(temporal), ensureSchedules(temporal)]);
    await schedule.pause('an operator investigates');

    await ensureSchedules(temporal);
    await schedule.trigger();

    const { state, info } = await until(
      () => schedule.describe(),
      (seen) => seen.info.recentActions.length > 0,
    );
    expect(state.paused).toBe(true);
    const { workflowId } = info.recentActions[0]!.action.workflow;
    expect(workflowId).toContain(`maintenance-${taskQueue}`);
    await expect(client.workflow.getHandle(workflowId).result()).resolves.toBeUndefined();
  } finally {
    await schedule.delete();
  }
});

test('a schedule that was deleted is created again', async () => {
  const { temporal } = gateway.current.deps;
  const { client, taskQueue } = temporal;
  const schedule = client.schedule.getHandle(`maintenance-${taskQueue}`);
  const isThere = () => schedule.describe().then(Boolean, () => false);
  const schedules = maintainSchedules(temporal, createLog('silent', 'test'), 100);
  try {
    await until(isThere);
    await schedule.delete();
    await until(isThere);
  } finally {
    await schedules.close();
    await schedule.delete();
  }
});

test.each(['was terminated', 'was deleted'])(
  'a round of maintenance that %s is followed by the next one',
  async (way) => {
    const { temporal } = gateway.current.deps;
    const { client } = temporal;
    // Without a worker a round lasts until it is lost.
    const taskQueue = `no-worker-${randomUUID()}`;
    await ensureSchedules({ ...temporal, client, taskQueue });
    const schedule = client.schedule.getHandle(`maintenance-${taskQueue}`);
    const latest = async () => (await schedule.describe()).info.recentActions.at(-1)?.action.workflow.workflowId;
    try {
      await schedule.update((described) => ({ ...described, spec: { intervals: [{ every: '1s' }] } }));
      const first = await until(latest);

      await { ...terminations, ...disappearances }[way]!(client, first!);

      await until(latest, (round) => round !== first);
    } finally {
      await schedule.delete();
    }
  },
);
