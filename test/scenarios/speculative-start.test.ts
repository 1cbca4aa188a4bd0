import { freePort } from '../../tools/dev/services/free-port.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { checkLedger } from '../support/ledger.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false, settings: { SPECULATIVE_START: 'on' } });
const given = givenIn(gateway);

let temporal: Awaited<ReturnType<typeof startFreezingProxy>>;
let workers: WorkerProcess[] = [];
beforeEach(async () => {
  temporal = await startFreezingProxy(new URL(`http://${services.temporalAddress}`));
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  workers = [];
  await temporal.close();
});

/** More confirmed calls than a worker needs before it starts calls speculatively. */
const warmUpCalls = 25;

/** A job in progress whose worker starts calls speculatively, and is connected to Temporal through the proxy. */
async function givenWarmWorker(model: string) {
  workers.push(await startWorkerProcess(gateway.current, { TEMPORAL_ADDRESS: new URL(temporal.url).host }));
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  for (let call = 0; call < warmUpCalls; call += 1) expectOk(await as(gateway, team).call(job));
  return { team, job };
}

/** A text that only a worker sends to Temporal: a field of the input of a call's activity. */
const decision = '"ends_job"';

/** A call in such a job, whose decision never reaches Temporal. The worker that has decided on the job so far decides on the call too. */
async function givenLostDecision(model: string, { hasOtherWorker = false } = {}) {
  const { team, job } = await givenWarmWorker(model);
  if (hasOtherWorker) workers.push(await startWorkerProcess(gateway.current));
  const lost = temporal.freezeConnectionThatSends(decision);
  const call = as(gateway, team).call(job);
  await lost;
  return { team, job, call };
}

const requestsFor = (model: string) => gateway.current.simulator.requestsFor({ model });

test('a call that started speculatively and whose decision never reaches Temporal is made by another worker and counts once', async () => {
  const model = 'sim-ok-as-decision-lost';
  const { team, job, call } = await givenLostDecision(model, { hasOtherWorker: true });

  expectOk(await call);
  expect(requestsFor(model)).toHaveLength(warmUpCalls + 2);
  const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(breakdown.at(-1).attempts).toMatchObject([{ outcome: 'interrupted' }, { outcome: 'succeeded' }]);
  const { costs } = expectOk(await as(gateway, team).complete(job));
  expect(costs).toMatchObject({ total_calls: warmUpCalls + 1, failed_calls: 0, credit_applied: true });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 90_000);

test('a call that started speculatively is answered 503 and not made later when its worker loses Temporal before the confirmation', async () => {
  const model = 'sim-ok-as-unconfirmed';
  const { team, job, call } = await givenLostDecision(model);

  temporal.freeze();

  expect(await call).toMatchObject({ status: 503 });
  workers.push(await startWorkerProcess(gateway.current));
  const { costs } = expectOk(await as(gateway, team).complete(job));
  expect(costs).toMatchObject({ total_calls: warmUpCalls, failed_calls: 0, credit_applied: true });
  expect(requestsFor(model)).toHaveLength(warmUpCalls + 1);
}, 90_000);

/** How many calls the worker has requested early, by its own metrics. */
async function confirmedBy(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^gateway_speculative_starts_total\{outcome="confirmed"\} (\d+)/m.exec(text)?.[1] ?? 0);
}

test('the call of a single-call job is requested early by a worker that is alone, and by none while there are two', async () => {
  const model = 'sim-ok-as-single-calls';
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  workers.push(await startWorkerProcess(gateway.current, { METRICS_PORT: String(port) }));
  const team = await given.team({ models: [model] });
  const make = async () => expectOk(await as(gateway, team).single());

  await until(async () => {
    await make();
    return (await confirmedBy(url)) > 3;
  });
  workers.push(await startWorkerProcess(gateway.current));
  /** The first worker learns of the second by its next heartbeat, which is late on a busy machine. */
  const before = await until(async () => {
    const confirmed = await confirmedBy(url);
    await make();
    return (await confirmedBy(url)) === confirmed && confirmed;
  });
  const requested = requestsFor(model).length;
  for (let call = 0; call < warmUpCalls; call += 1) await make();

  expect(await confirmedBy(url)).toBe(before);
  expect(requestsFor(model)).toHaveLength(requested + warmUpCalls);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 90_000);
