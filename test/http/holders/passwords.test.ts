import { randomInt } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expectOk } from '../../support/given.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueAddress } from '../admin-users/admins.ts';

// A queue of passwords forms only if to compare one takes some time.
const gateway = gatewayForAdmins({ BCRYPT_COST: '10' });
const { send, login, owner, admin } = adminsIn(gateway);

const uniqueNetwork = () => `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}`;

test('failed logins from all addresses of one IPv6 network count together (spec 9.2)', async () => {
  const { email } = await owner();
  const network = uniqueNetwork();
  const statuses: number[] = [];
  for (let host = 1; host <= 12; host += 1)
    statuses.push((await login(email, 'not the password', `${network}::${host.toString(16)}`)).status);

  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  expect((await login(email, goodPassword, `${uniqueNetwork()}::1`)).status).toBe(200);
});

test('a login is served while another network fills its queue, beyond which its logins are refused', async () => {
  const { email } = await owner();
  const flood = uniqueNetwork();

  const answers = Array.from({ length: 120 }, (_, host) =>
    login(`nobody-${host}@example.com`, 'not the password', `${flood}::${host.toString(16)}`),
  );
  const honest = login(email, goodPassword, uniqueAddress());
  const first = await Promise.race([honest, Promise.all(answers)]);

  expect(first).toMatchObject({ status: 200 });
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  const refused = (await Promise.all(answers)).filter(({ status }) => status === 429);
  for (const { headers } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.has('x-ratelimit-limit')).toBe(true);
    expect(headers.has('x-ratelimit-remaining')).toBe(true);
    expect(headers.has('x-ratelimit-reset')).toBe(true);
  }
});

test('passwords of clients that have left are not compared', async () => {
  const { passwords } = gateway.current.deps;
  let compared = 0;
  const original = passwords.matches;
  passwords.matches = (...given) => {
    compared += 1;
    return original(...given);
  };
  try {
    const { email } = await owner();
    const address = uniqueAddress();
    const leaving = Array.from({ length: 40 }, () =>
      fetch(`${gateway.current.url}/api/admin-users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify({ email: 'nobody@example.com', password: 'not the password' }),
        signal: AbortSignal.timeout(100),
      }).catch(() => undefined),
    );
    await Promise.all(leaving);
    compared = 0;

    expect((await login(email, goodPassword, uniqueAddress())).status).toBe(200);

    // Its own, and at most those that were being compared when their clients left.
    expect(compared).toBeLessThan(10);
  } finally {
    passwords.matches = original;
  }
});

test('the eleventh wrong current password is refused, and the session ends (spec 9.7)', async () => {
  const { token, email } = await admin('user');
  const guess = () =>
    send('post', '/me/change-password', {
      token,
      body: { current_password: 'not the password', new_password: 'another good password' },
      address: uniqueAddress(),
    });
  const statuses: number[] = [];
  for (let guesses = 0; guesses < 12; guesses += 1) statuses.push((await guess()).status);

  expect(statuses).toEqual([...Array(10).fill(400), 429, 401]);
  // The account itself is not locked.
  const { access_token } = expectOk(await login(email));
  expect((await send('get', '/me', { token: access_token })).status).toBe(200);
});

test('right current passwords do not count against the limit', async () => {
  const { token } = await admin('user');
  let current = goodPassword;
  for (let changes = 0; changes < 12; changes += 1) {
    const next = `another good password ${changes}`;
    expectOk(
      await send('post', '/me/change-password', { token, body: { current_password: current, new_password: next } }),
    );
    current = next;
  }
});

test('a compressed body of a caller without a credential may unpack to 16 KiB only (spec 1.5)', async () => {
  const logInWith = (padding: number) =>
    fetch(`${gateway.current.url}/api/admin-users/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ email: 'nobody@example.com', password: 'x', padding: ' '.repeat(padding) })),
    });

  expect((await logInWith(1_000)).status).toBe(401);
  expect((await logInWith(20_000)).status).toBe(413);
});
