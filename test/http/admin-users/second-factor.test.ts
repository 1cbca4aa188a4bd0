import { oneTimeCode, stepAt } from '../../../src/auth/one-time-codes.ts';
import { expectOk } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import type { Answer } from '../../support/send-request.ts';
import { browserIn, cookieIn } from '../sessions/browser.ts';
import { type Admin, adminsIn, gatewayForAdmins, goodPassword, uniqueAddress } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);
const browser = browserIn(gateway);
const own = { current_password: goodPassword };

/** The code of now. One step later it is still right. */
const codeOf = (secret: string, later = 0) => oneTimeCode(secret, stepAt(Date.now()) + later);
const start = ({ token }: Admin, body: object = own) => admins.send('post', '/me/second-factor', { token, body });
const confirm = ({ token }: Admin, code: string) =>
  admins.send('post', '/me/second-factor/confirm', { token, body: { code } });
const disable = ({ token }: Admin, code: string, current_password = goodPassword) =>
  admins.send('post', '/me/second-factor/disable', { token, body: { current_password, code } });
const login = (email: string, code?: string, { password = goodPassword, address = uniqueAddress() } = {}) =>
  admins.send('post', '/login', { body: { email, password, code }, address });
const codesOf = (answers: Answer[]) => answers.map(({ status, body }) => `${status} ${body.code ?? 'ok'}`);

/** As if all the codes so far were of long ago. */
const forgetSteps = ({ userId }: Admin) =>
  gateway.current.deps.database.pool.query('update admin_users set second_factor_step = 0 where user_id = $1', [
    userId,
  ]);

/** An account that needs a code, as after its first one has been forgotten. */
async function enrolled(role = 'user') {
  const admin = await admins.admin(role);
  const { secret } = expectOk(await start(admin));
  const { recovery_codes } = expectOk(await confirm(admin, codeOf(secret)));
  await forgetSteps(admin);
  return { admin, secret: secret as string, recovery: recovery_codes as string[] };
}

test('a second factor is started with the password, and a login needs a code once the first one has confirmed it (spec 12.30)', async () => {
  const admin = await admins.admin('user');
  const other = await admins.token(admin.email);

  const started = await start(admin);
  const before = await login(admin.email);
  const { secret, uri } = expectOk(started);
  const wrong = await confirm(admin, '000000');
  const confirmed = await confirm(admin, codeOf(secret));

  expect(started.headers.get('cache-control')).toBe('no-store');
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(uri).toBe(`otpauth://totp/${encodeURIComponent(`Gateway:${admin.email}`)}?secret=${secret}&issuer=Gateway`);
  expect(before.status).toBe(200);
  expect(before.body.user.second_factor).toBe(false);
  expect(codesOf([wrong, confirmed])).toEqual(['400 code_wrong', '200 ok']);
  expect(new Set(confirmed.body.recovery_codes).size).toBe(10);
  expect(confirmed.body.recovery_codes[0]).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  expect((await admins.send('get', '/me', { token: other })).status).toBe(401);
  expect(expectOk(await admins.send('get', '/me', { token: admin.token })).second_factor).toBe(true);
  const actions = (await readAudit(gateway.current, admin.userId)).map(({ action }) => action);
  expect(actions[0]).toBe('enabled_second_factor');
});

test('neither the secret nor a recovery code is stored as it is (spec 12.30)', async () => {
  const { admin, secret, recovery } = await enrolled();
  const { pool } = gateway.current.deps.database;

  const { rows: users } = await pool.query('select * from admin_users where user_id = $1', [admin.userId]);
  const { rows: codes } = await pool.query('select * from recovery_codes where user_id = $1', [admin.userId]);

  expect(codes).toHaveLength(10);
  const stored = JSON.stringify([users, codes], (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  );
  for (const text of [secret, ...recovery, ...recovery.map((code) => code.replaceAll('-', ''))])
    expect(stored).not.toContain(text);
});

test('without the right password no second factor is started, and a second one is refused (spec 12.30)', async () => {
  const { admin } = await enrolled();
  const another = await admins.admin('user');

  expect(codesOf([await start(another, { current_password: 'wrong password' }), await start(admin)])).toEqual([
    '400 password_wrong',
    '409 second_factor_on',
  ]);
  expect((await start(another, {})).status).toBe(422);
  expect(codesOf([await confirm(another, '123456'), await disable(another, '123456')])).toEqual([
    '409 second_factor_not_started',
    '409 second_factor_off',
  ]);
});

test('a secret that is started anew replaces the one before, whose codes confirm nothing', async () => {
  const admin = await admins.admin('user');
  const first = expectOk(await start(admin));
  const second = expectOk(await start(admin));

  expect(codesOf([await confirm(admin, codeOf(first.secret))])).toEqual(['400 code_wrong']);
  expect(codesOf([await confirm(admin, codeOf(second.secret))])).toEqual(['200 ok']);
});

test('a login with the right password and no code is 401 second_factor_required, and with a wrong password login_failed (spec 12.31)', async () => {
  const { admin, secret } = await enrolled();
  const address = uniqueAddress();

  const without = await Promise.all(Array.from({ length: 12 }, () => login(admin.email, undefined, { address })));
  const wrong = await login(admin.email, codeOf(secret), { password: 'wrong password' });
  const right = await login(admin.email, codeOf(secret), { address });

  expect(codesOf(without)).toEqual(Array(12).fill('401 second_factor_required'));
  expect(without[0]!.headers.get('www-authenticate')).toBe('Bearer');
  expect(codesOf([wrong, right])).toEqual(['401 login_failed', '200 ok']);
  expect(right.body.user).toMatchObject({ user_id: admin.userId, second_factor: true });
});

test('the console signs in with the code in the same request (spec 12.31)', async () => {
  const { admin, secret } = await enrolled();
  const signIn = (code?: string) =>
    browser.signIn({ email: admin.email, password: goodPassword, code }, { 'x-forwarded-for': uniqueAddress() });

  const [without, withCode] = [await signIn(), await signIn(codeOf(secret))];

  expect(codesOf([without, withCode])).toEqual(['401 second_factor_required', '200 ok']);
  expect(without.headers.get('set-cookie')).toBeNull();
  expect(cookieIn(withCode)).toBeDefined();
});

test('a code is right once, also if it is sent at the same time, and none of before it is right any more (spec 12.31)', async () => {
  const { admin, secret } = await enrolled();
  const [before, code] = [codeOf(secret), codeOf(secret, 1)];

  const answers = await Promise.all(Array.from({ length: 5 }, () => login(admin.email, code)));
  const again = [await login(admin.email, code), await login(admin.email, before)];

  expect(codesOf(answers).sort()).toEqual(['200 ok', ...Array(4).fill('401 second_factor_wrong')]);
  expect(codesOf(again)).toEqual(Array(2).fill('401 second_factor_wrong'));
});

test.each([
  ['of two minutes ago', (secret: string) => codeOf(secret, -4)],
  ['of in two minutes', (secret: string) => codeOf(secret, 4)],
  ['of nobody', () => 'AAAA-BBBB-CCCC-DDDD'],
  ['that is empty', () => ''],
  ['with blanks alone', () => '   '],
])('a code %s is wrong (spec 12.31)', async (_what, code) => {
  const { admin, secret } = await enrolled();

  expect(codesOf([await login(admin.email, code(secret))])).toEqual(['401 second_factor_wrong']);
});

test('wrong codes count as failed logins of their address, and those of an account from all addresses together (spec 12.31)', async () => {
  const [one, other] = [await enrolled(), await enrolled()];
  const address = uniqueAddress();

  const ofOneAddress = await Promise.all(Array.from({ length: 8 }, () => login(one.admin.email, 'WRONG', { address })));
  const passwords = await Promise.all(
    Array.from({ length: 4 }, () => login(one.admin.email, undefined, { password: 'wrong password', address })),
  );
  const ofMany = await Promise.all(Array.from({ length: 14 }, () => login(other.admin.email, 'WRONG')));
  const right = await login(other.admin.email, codeOf(other.secret));

  expect(codesOf(ofOneAddress)).toEqual(Array(8).fill('401 second_factor_wrong'));
  expect(codesOf(passwords).sort()).toEqual([
    ...Array(2).fill('401 login_failed'),
    ...Array(2).fill('429 too_many_logins'),
  ]);
  expect(codesOf(ofMany).sort()).toEqual([
    ...Array(10).fill('401 second_factor_wrong'),
    ...Array(4).fill('429 too_many_logins'),
  ]);
  expect(codesOf([right])).toEqual(['429 too_many_logins']);
});

test('a wrong code is audited as a failed login (spec 12.11)', async () => {
  const { admin } = await enrolled();

  await login(admin.email, '123 456 ');

  const [entry] = await readAudit(gateway.current, admin.userId);
  expect(entry).toMatchObject({ action: 'failed_login', details: { refused: 'second_factor_wrong' } });
  expect(JSON.stringify(entry)).not.toContain('123');
});

test('a recovery code signs in once, however it is typed and also at the same time, which is audited (spec 12.32)', async () => {
  const { admin, recovery } = await enrolled();
  const [first = '', second = ''] = recovery;

  const typed = await login(admin.email, ` ${first.toLowerCase().replaceAll('-', ' ')}`);
  const again = await login(admin.email, first);
  const atOnce = await Promise.all(Array.from({ length: 4 }, () => login(admin.email, second)));

  expect(codesOf([typed, again])).toEqual(['200 ok', '401 second_factor_wrong']);
  expect(codesOf(atOnce).sort()).toEqual(['200 ok', ...Array(3).fill('401 second_factor_wrong')]);
  const actions = (await readAudit(gateway.current, admin.userId)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'used_recovery_code')).toHaveLength(2);
});

test('a recovery code of one account is none of another (spec 12.32)', async () => {
  const [one, other] = [await enrolled(), await enrolled()];

  expect(codesOf([await login(other.admin.email, one.recovery[0])])).toEqual(['401 second_factor_wrong']);
});

test('the own second factor is switched off with the password and a code, or a recovery code (spec 12.32)', async () => {
  const { admin, secret, recovery } = await enrolled();

  const refused = [await disable(admin, codeOf(secret), 'wrong password'), await disable(admin, '000000')];
  const off = await disable(admin, recovery[0]!);

  expect(codesOf([...refused, off])).toEqual(['400 password_wrong', '400 code_wrong', '200 ok']);
  expect((await login(admin.email)).status).toBe(200);
  expect(codesOf([await login(admin.email, recovery[1])])).toEqual(['200 ok']);
  const actions = (await readAudit(gateway.current, admin.userId)).map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(['disabled_second_factor', 'failed_second_factor_change']));
  const { rows } = await gateway.current.deps.database.pool.query('select from recovery_codes where user_id = $1', [
    admin.userId,
  ]);
  expect(rows).toHaveLength(0);
});

test('an owner takes the second factor of any other user away, an admin that of a user, and the sessions end (spec 12.32)', async () => {
  const owner = await admins.owner();
  const admin = await admins.admin('admin');
  const [lostAdmin, lostUser] = [await enrolled('admin'), await enrolled('user')];
  const reset = (by: Admin, { userId }: Admin) =>
    admins.send('delete', `/${userId}/second-factor`, { token: by.token });

  const answers = [
    await reset(admin, lostAdmin.admin),
    await reset(lostUser.admin, lostAdmin.admin),
    await reset(owner, lostAdmin.admin),
    await reset(admin, lostUser.admin),
    await reset(owner, lostUser.admin),
    await reset(owner, owner),
    await reset(owner, { ...owner, userId: '00000000-0000-4000-8000-000000000000' }),
  ];

  expect(codesOf(answers)).toEqual([
    '403 role_insufficient',
    '403 role_insufficient',
    '200 ok',
    '200 ok',
    '409 second_factor_off',
    '400 second_factor_own',
    '404 user_not_found',
  ]);
  expect((await admins.send('get', '/me', { token: lostAdmin.admin.token })).status).toBe(401);
  expect((await login(lostAdmin.admin.email)).status).toBe(200);
  const [, entry] = await readAudit(gateway.current, lostAdmin.admin.userId);
  expect(entry).toMatchObject({ action: 'reset_second_factor', user_id: owner.userId });
});

test('a new password by an owner leaves the second factor as it is (spec 12.32)', async () => {
  const { admin, secret } = await enrolled();
  const { token } = await admins.owner();
  const body = { new_password: 'another password' };
  expectOk(await admins.send('post', `/${admin.userId}/change-password`, { token, body }));

  const answers = [
    await login(admin.email, undefined, { password: 'another password' }),
    await login(admin.email, codeOf(secret), { password: 'another password' }),
  ];

  expect(codesOf(answers)).toEqual(['401 second_factor_required', '200 ok']);
});

test('an inactive account is 403 after the right password, with and without a code (spec 12.2)', async () => {
  const { admin, secret } = await enrolled();
  const { token } = await admins.owner();
  expectOk(await admins.send('put', `/${admin.userId}`, { token, body: { is_active: false } }));

  expect(codesOf([await login(admin.email), await login(admin.email, codeOf(secret))])).toEqual(
    Array(2).fill('403 account_inactive'),
  );
});

test('where MASTER_KEY does not open the secret, a one-time code is wrong and a recovery code right (spec 12.32)', async () => {
  const { admin, secret, recovery } = await enrolled();
  await gateway.current.deps.database.pool.query(
    `update admin_users set second_factor_sealed = '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
      where user_id = $1`,
    [admin.userId],
  );

  expect(codesOf([await login(admin.email, codeOf(secret)), await login(admin.email, recovery[0])])).toEqual([
    '401 second_factor_wrong',
    '200 ok',
  ]);
});
