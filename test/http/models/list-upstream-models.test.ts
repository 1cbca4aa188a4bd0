import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';

const gateway = gatewayForTests({ worker: false });
const admin = asAdmin(gateway);

test('the models that the upstream names have the prices that it lists (spec 7.15)', async () => {
  const { models, problem, help } = expectOk(await admin.get('/api/upstream-models'));

  expect(models).toContainEqual({ model: 'gpt-4o', input_price_per_million: 2.5, output_price_per_million: 10 });
  expect(models.map(({ model }: { model: string }) => model)).toEqual(
    models.map(({ model }: { model: string }) => model).toSorted(),
  );
  expect([problem, help]).toEqual([null, null]);
});

test('an upstream that is away is told in words, without its address and key (spec 7.15)', async () => {
  const { simulator, config } = gateway.current;
  await simulator.close();

  const answer = await admin.get('/api/upstream-models');

  expect(expectOk(answer)).toMatchObject({
    models: [],
    problem: expect.stringContaining('could not be reached'),
    help: expect.stringContaining('UPSTREAM_BASE_URL'),
  });
  expect(answer.text).not.toContain(config.UPSTREAM_MASTER_KEY);
  expect(answer.text).not.toContain(new URL(simulator.url).host);
});
