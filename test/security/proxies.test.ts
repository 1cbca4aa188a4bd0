import { until } from '../support/until.ts';
import { givenOwner, logIn } from './support/admins.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ worker: false });

/** The statuses of wrong logins to one account, one after the other. */
async function wrongLogins(url: string, count: number, from: (n: number) => string, email = 'owner@example.com') {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1)
    statuses.push((await logIn(url, { email, password: 'wrong', from: from(n) })).status);
  return statuses;
}

const tenThenRefused = (count: number) => [...Array(10).fill(401), ...Array(count - 10).fill(429)];

test('an api with TRUST_PROXY=on ignores addresses that a client has put before its own in X-Forwarded-For', async () => {
  const api = await installation.current.startApi({ TRUST_PROXY: 'on' });

  const statuses = await wrongLogins(api.url, 14, (n) => `192.0.2.${n}, 203.0.113.7`, 'one-hop@example.com');

  expect(statuses).toEqual(tenThenRefused(14));
});

test('an api with TRUST_PROXY=2 counts logins by the address that the outer proxy has added to X-Forwarded-For (spec 13.3)', async () => {
  const api = await installation.current.startApi({ TRUST_PROXY: '2' });
  const email = 'two-hops@example.com';

  expect(await wrongLogins(api.url, 12, (n) => `192.0.2.${n}, 203.0.113.9, 10.0.0.${n}`, email)).toEqual(
    tenThenRefused(12),
  );
  expect(await wrongLogins(api.url, 1, () => '203.0.113.10, 10.0.0.1', email)).toEqual([401]);
});

test('an api without TRUST_PROXY that receives X-Forwarded-For logs one warning', async () => {
  const { api, url, masterKey } = installation.current;
  await givenOwner(url, masterKey);
  const warnings = () =>
    api.log().filter((line) => line.level >= 40 && /forwarded|TRUST_PROXY/i.test(JSON.stringify(line)));

  await wrongLogins(url, 3, (n) => `192.0.2.${n}`);

  await until(warnings, (found) => found.length > 0, 5_000);
  expect(warnings()).toHaveLength(1);
});
