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

/** More calls than a worker has to see before it gives head starts. */
const learning = 25;

/** A job in progress whose worker has learned that the calls it decides on come to it, and reaches Temporal through the proxy. */
async function givenTrust(model: string) {
  workers.push(await startWorkerProcess(gateway.current, { TEMPORAL_ADDRESS: new URL(temporal.url).host }));
  const team = await given.team({ models: [model] });
  const job = await given.job(team);
  for (let call = 0; call < learning; call += 1) expectOk(await as(gateway, team).call(job));
  return { team, job };
}

/** What only a worker says to Temporal: a field of the input of a call's activity. */
const decision = '"ends_job"';

/** A call in such a job, whose decision Temporal never hears of. */
async function givenLostDecision(model: string) {
  const { team, job } = await givenTrust(model);
  const lost = temporal.silenceWhoSays(decision);
  const call = as(gateway, team).call(job);
  await lost;
  return { team, job, call };
}

const requestsFor = (model: string) => gateway.current.simulator.requestsFor({ model });

test('a call whose decision Temporal never hears of is asked for early, made by another worker, and counts once', async () => {
  const model = 'sim-ok-as-decision-lost';
  const { team, job, call } = await givenLostDecision(model);

  await until(() => requestsFor(model).length === learning + 1);
  workers.push(await startWorkerProcess(gateway.current));

  expectOk(await call);
  expect(requestsFor(model)).toHaveLength(learning + 2);
  const { breakdown } = await given.admin('get', `/api/jobs/${job}/costs`);
  expect(breakdown.at(-1).attempts).toMatchObject([{ outcome: 'interrupted' }, { outcome: 'succeeded' }]);
  const { costs } = expectOk(await as(gateway, team).complete(job));
  expect(costs).toMatchObject({ total_calls: learning + 1, failed_calls: 0, credit_applied: true });
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
}, 90_000);

test('when Temporal is away for its worker from then on, such a call is 503 and is not made later', async () => {
  const model = 'sim-ok-as-nobody-hears';
  const { team, job, call } = await givenLostDecision(model);

  temporal.freeze();

  expect(await call).toMatchObject({ status: 503 });
  workers.push(await startWorkerProcess(gateway.current));
  const { costs } = expectOk(await as(gateway, team).complete(job));
  expect(costs).toMatchObject({ total_calls: learning, failed_calls: 0, credit_applied: true });
  expect(requestsFor(model)).toHaveLength(learning + 1);
}, 90_000);
