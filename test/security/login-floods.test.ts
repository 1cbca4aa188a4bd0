import { expectOk } from '../support/given.ts';
import { addressIn, givenAdmin, givenOwner, logIn } from './support/admins.ts';
import { installationForTests } from './support/installation.ts';

const installation = installationForTests({ worker: false, settings: { TRUST_PROXY: '1' } });
let owner: Awaited<ReturnType<typeof givenOwner>>;

beforeAll(async () => {
  const { url, masterKey } = installation.current;
  owner = await givenOwner(url, masterKey);
});

async function wrongLogins(count: number, from: (n: number) => string, email: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1)
    statuses.push((await logIn(installation.current.url, { email, password: 'wrong', from: from(n) })).status);
  return statuses;
}

test('the 11th wrong password for an account from one IPv6 /64 is answered 429, whichever address it comes from (spec 9.2)', async () => {
  const { email } = owner;

  const statuses = await wrongLogins(25, (n) => addressIn(1, n), email);

  expect(statuses).toEqual([...Array(10).fill(401), ...Array(15).fill(429)]);
});

test('logins from another /64 and from an IPv4 address succeed while one /64 is refused', async () => {
  const { url } = installation.current;
  const admin = await givenAdmin(url, owner);
  await wrongLogins(11, (n) => addressIn(2, n), admin.email);

  expect((await logIn(url, { ...admin, from: addressIn(2, 4_000) })).status).toBe(429);
  expectOk(await logIn(url, { ...admin, from: addressIn(3, 1) }));
  expectOk(await logIn(url, { ...admin, from: '198.51.100.20' }));
});

test('the 11th wrong password from one IPv4 address is answered 429, in any notation of the address', async () => {
  const { url } = installation.current;
  const admin = await givenAdmin(url, owner);
  const spellings = [
    '198.51.100.7',
    '::ffff:198.51.100.7',
    '::ffff:c633:6407',
    '198.51.100.7:40001',
    '[::ffff:198.51.100.7]:9',
  ];

  const statuses = await wrongLogins(20, (n) => spellings[n % spellings.length]!, admin.email);

  expect(statuses).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
  expectOk(await logIn(url, { ...admin, from: '::ffff:198.51.100.8' }));
});

test('a /64 that has sent a hundred wrong passwords for many accounts is answered 429, and another /64 is not (spec 9.2)', async () => {
  const { url } = installation.current;
  const admin = await givenAdmin(url, owner);
  const wrong = (n: number) =>
    logIn(url, { email: `nobody-${n}@example.com`, password: 'wrong', from: addressIn(4, n) }).then(
      ({ status }) => status,
    );

  for (let round = 0; round < 10; round += 1)
    expect(await Promise.all(Array.from({ length: 10 }, (_, n) => wrong(round * 10 + n)))).toEqual(Array(10).fill(401));

  expect(await wrong(100)).toBe(429);
  expectOk(await logIn(url, { ...admin, from: addressIn(5, 1) }));
});
