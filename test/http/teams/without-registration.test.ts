import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests, startGateway } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests({ worker: false, settings: { UPSTREAM_TEAM_KEYS: 'off' } });
const given = givenIn(gateway);
const admin = asAdmin(gateway);

test('without registration all operations on a team work, and only its list of models is read (spec 8.3)', async () => {
  const team = await given.team({ credits: 5 });
  const path = `/api/teams/${team.teamId}`;

  expectOk(await admin.post(`${path}/credits/allocate`, { credits_amount: 5 }));
  expectOk(await admin.put(`${path}/model-groups`, { model_groups: [] }));
  expectOk(await admin.post(`${path}/suspend`));
  expectOk(await admin.post(`${path}/resume`));
  const { virtual_key } = expectOk(await admin.post(`${path}/rotate-key`));

  expect((await as(gateway, { ...team, key: virtual_key }).credits()).credits_remaining).toBe(10);
  expect(gateway.current.simulator.requests.filter(({ path }) => path !== '/models')).toEqual([]);
  const { rowCount } = await gateway.current.deps.database.pool.query('select from upstream_changes');
  expect(rowCount).toBe(0);
});

test("without registration calls carry the upstream's master key, which no client is shown (spec 2.12, spec 8.3)", async () => {
  const own = await startGateway({ settings: { UPSTREAM_TEAM_KEYS: 'off' } });
  const team = await givenIn({ current: own }).team();
  const masterKey = own.environment.UPSTREAM_MASTER_KEY!;

  const answers = [await as({ current: own }, team).single(), await as({ current: own }, team).singleStream()];
  const costs = await as({ current: own }, team).get(`/api/jobs/${answers[0]!.headers.get('x-job-id')}/costs`);
  await own.close();

  expect(own.simulator.requestsFor({ model: 'sim-ok' }).map(({ key }) => key)).toEqual([masterKey, masterKey]);
  for (const { status, text } of [...answers, costs]) expect([status, text.includes(masterKey)]).toEqual([200, false]);
});
