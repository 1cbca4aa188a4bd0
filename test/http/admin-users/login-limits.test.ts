import type { Answer } from '../../support/send-request.ts';
import { adminsIn, gatewayForAdmins, uniqueAddress, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort();
const times = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

test('after ten failed logins with an e-mail from one address further ones are refused, also if all are sent at once (spec 9.2)', async () => {
  const { email } = await admins.created();
  const address = uniqueAddress();

  const answers = await Promise.all(times(25, 0).map(() => admins.login(email, 'wrong password', address)));

  expect(statusesOf(answers)).toEqual([...times(10, 401), ...times(15, 429)]);
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.body).toEqual({ detail: 'Too many failed logins', code: 'too_many_logins' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('10');
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1_000);
  expect((await admins.login(email, undefined, address)).status).toBe(429);
});

test('after ten failed logins another address and another e-mail can still log in (spec 9.2)', async () => {
  const [{ email }, other] = [await admins.created(), await admins.created()];
  const address = uniqueAddress();
  await Promise.all(times(10, 0).map(() => admins.login(email, 'wrong password', address)));

  expect((await admins.login(email, undefined, address)).status).toBe(429);
  expect((await admins.login(email, undefined, uniqueAddress())).status).toBe(200);
  expect((await admins.login(other.email, undefined, address)).status).toBe(200);
});

test('a right password does not count as a failed login, also for an inactive account', async () => {
  const { email, user_id } = await admins.created();
  const { token } = await admins.owner();
  await admins.send('put', `/${user_id}`, { token, body: { is_active: false } });
  const address = uniqueAddress();

  const answers = await Promise.all(times(12, 0).map(() => admins.login(email, undefined, address)));

  expect(statusesOf(answers)).toEqual(times(12, 403));
});

test('a successful login neither counts as failed nor resets the count of failed logins', async () => {
  const { email } = await admins.created();
  const address = uniqueAddress();
  await Promise.all(times(9, 0).map(() => admins.login(email, 'wrong password', address)));

  const good = [];
  for (let time = 0; time < 3; time += 1) good.push(await admins.login(email, undefined, address));
  const last = await admins.login(email, 'wrong password', address);

  expect(statusesOf(good)).toEqual(times(3, 200));
  expect(good[0]!.headers.get('x-ratelimit-remaining')).toBe('0');
  expect(last.status).toBe(401);
  expect((await admins.login(email, undefined, address)).status).toBe(429);
});

test('failed logins with an unknown e-mail are counted like failed logins with a known e-mail', async () => {
  const [email, address] = [uniqueEmail(), uniqueAddress()];

  const answers = await Promise.all(times(12, 0).map(() => admins.login(email, 'wrong password', address)));

  expect(statusesOf(answers)).toEqual([...times(10, 401), ...times(2, 429)]);
});

test('after a hundred failed logins from one address further ones are refused, whatever their e-mails (spec 9.2)', async () => {
  const { email } = await admins.created();
  const address = uniqueAddress();
  // As many as if they had been sent: each would cost a comparison.
  const failed = { key: `logins:${address}`, cost: 95, limit: 100, windowMs: 900_000 };
  expect((await gateway.current.deps.rateLimits.take([failed])).refusedBy).toBeUndefined();

  const answers = await Promise.all(times(10, 0).map(() => admins.login(uniqueEmail(), 'wrong password', address)));

  expect(statusesOf(answers)).toEqual([...times(5, 401), ...times(5, 429)]);
  expect(answers.find(({ status }) => status === 429)?.headers.get('x-ratelimit-limit')).toBe('100');
  expect((await admins.login(email, undefined, address)).status).toBe(429);
});

test('an X-Forwarded-For that a client sends itself does not change its address in the limit of logins', async () => {
  const { email } = await admins.created();
  const address = uniqueAddress();
  const invented = times(25, 0).map(() => `${uniqueAddress()}, ${address}`);

  const answers = await Promise.all(invented.map((entries) => admins.login(email, 'wrong password', entries)));

  expect(statusesOf(answers)).toEqual([...times(10, 401), ...times(15, 429)]);
});

test('an IPv4 client counts as the same client at an IPv6 socket', async () => {
  const { email } = await admins.created();
  const address = uniqueAddress();
  const spellings = times(12, 0).map((_, at) => (at % 2 ? address : `::ffff:${address}`));

  const answers = await Promise.all(spellings.map((one) => admins.login(email, 'wrong password', one)));

  expect(statusesOf(answers)).toEqual([...times(10, 401), ...times(2, 429)]);
});
