import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('costs that are read while calls end and the job does are those of one moment', async () => {
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
