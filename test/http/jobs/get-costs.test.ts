import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { sendRequest } from '../../support/send-request.ts';
import { adminsIn } from '../admin-users/admins.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('costs that are read while calls and the job end are consistent (spec 3.9)', async () => {
  const team = await given.team({ credits: 25 });
  const admin = { ...team, key: gateway.current.masterKey };
  const torn: unknown[] = [];

  for (let balance = 25; balance > 0; balance -= 1) {
    const job = await given.job(team);
    const working = { over: false };
    const work = (async () => {
      expectOk(await as(gateway, team).call(job));
      expectOk(await as(gateway, team).complete(job));
    })().finally(() => {
      working.over = true;
    });
    while (!working.over) {
      const { status, costs, breakdown } = expectOk(await as(gateway, admin).get(`/api/jobs/${job}/costs`));
      const charged = balance - costs.credits_remaining;
      const isWhole =
        charged === (status === 'completed' ? 1 : 0) &&
        costs.credit_applied === (status === 'completed') &&
        breakdown.every(({ attempts }: { attempts: unknown[] }) => attempts.length === 1) &&
        (status !== 'completed' || costs.total_calls === 1);
      if (!isWhole) torn.push({ status, charged, costs, breakdown });
    }
    await work;
  }

  expect(torn).toEqual([]);
});

test('the costs of a job are the sums of its calls, and the latency is their average (spec 3.9, spec 3.14)', async () => {
  const team = await given.team({ models: ['sim-slow-60-prompt-tokens-11-tokens-7'] });
  const job = await given.job(team);
  const latencies: number[] = [];
  for (let calls = 0; calls < 3; calls += 1) {
    latencies.push(expectOk(await as(gateway, team).call(job)).metadata.latency_ms);
  }

  const { costs } = expectOk(await as(gateway, team).complete(job));

  const average = Math.round(latencies.reduce((sum, latency) => sum + latency) / 3);
  expect(costs).toMatchObject({ total_calls: 3, total_tokens: 54, avg_latency_ms: average });
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`)).costs).toMatchObject(costs);
  expect(await checkLedger(gateway.current.deps.database)).toEqual([]);
});

test('the costs of a job show the concrete model to an admin, by platform key or session, and not to a team (spec 3.9)', async () => {
  const { url, masterKey } = gateway.current;
  const team = await given.team();
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));
  const { token } = await adminsIn(gateway).admin('admin');

  const seen = await Promise.all(
    [team.key, masterKey, token].map(async (key) => {
      const { breakdown } = expectOk(await sendRequest(url, 'get', `/api/jobs/${job}/costs`, { key }));
      return ['resolved_model', 'model_used', 'attempts'].map((field) => field in breakdown[0]);
    }),
  );

  expect(seen).toEqual([Array(3).fill(false), Array(3).fill(true), Array(3).fill(true)]);
});
