import { setTimeout as pause } from 'node:timers/promises';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { untilRequested } from '../support/until-requested.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

/** Both exceed the heartbeat timeout of 10 s. At 12 s the server times out first, at 17 s the worker's own timer. */
test.each([12_000, 17_000])(
  'a call whose worker is stopped for %i ms is made again and succeeds',
  async (ms) => {
    const model = `sim-slow-60000-once-as-stopped-${ms}`;
    const team = await given.team({ credits: 5, models: [model] });
    const worker = await startWorkerProcess(gateway.current);
    const job = await given.job(team);
    const call = as(gateway, team).call(job);
    await untilRequested(gateway, model);

    worker.signal('SIGSTOP');
    await pause(ms);
    worker.signal('SIGCONT');

    expect(expectOk(await call).response.finish_reason).toBe('stop');
    const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
    expect(breakdown[0].attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'interrupted',
      'succeeded',
    ]);
    await worker.kill();
  },
  60_000,
);
