import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { untilRequested } from '../support/until-requested.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

/** The commit of a start is asynchronous: PostgreSQL may lose it in a crash, while the worker waits for the upstream. */
async function loseStart(model: string): Promise<void> {
  await untilRequested(gateway, model);
  const { rowCount } = await gateway.current.deps.database.pool.query(
    "update calls set status = 'queued', worker_attempt = 0, started_at = null where status = 'running' and resolved_model = $1",
    [model],
  );
  expect(rowCount).toBe(1);
}

async function expectOneCall(job: string, team: Awaited<ReturnType<typeof given.team>>, model: string) {
  const { costs } = expectOk(await as(gateway, team).complete(job));
  expect(costs).toMatchObject({ total_calls: 1, failed_calls: 0, credit_applied: true });
  expect(gateway.current.simulator.requestsFor({ model })).toHaveLength(1);
  const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(breakdown[0].attempts).toHaveLength(1);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}

test('a call whose start PostgreSQL lost in a crash is answered and recorded once', async () => {
  const model = 'sim-slow-1000-as-start-lost';
  const team = await given.team({ models: [model] });
  const job = await given.job(team);

  const call = as(gateway, team).call(job);
  await loseStart(model);

  expectOk(await call);
  await expectOneCall(job, team, model);
});

test('a streamed call whose start PostgreSQL lost in a crash is streamed and recorded once', async () => {
  const model = 'sim-slow-1000-as-stream-start-lost';
  const team = await given.team({ models: [model] });
  const job = await given.job(team);

  const streaming = as(gateway, team).stream(job);
  await loseStart(model);

  const events = readEvents((await streaming).text);
  expect(events.at(-1)).toBe('[DONE]');
  expect(JSON.parse(events.at(-2)!).error).toBeUndefined();
  await expectOneCall(job, team, model);
});
