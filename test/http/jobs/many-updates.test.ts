import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

test('two hundred simultaneous metadata updates of a job all take effect, and are answered while the job is open (spec 3.15)', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const names = Array.from({ length: 200 }, (_, index) => `key-${index}`);

  const answers = await Promise.all(
    names.map((name) => as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata: { [name]: 1 } })),
  );

  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(Object.keys(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).metadata)).toHaveLength(names.length);
});
