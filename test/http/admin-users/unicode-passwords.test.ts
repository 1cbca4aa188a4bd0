import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expectOk } from '../../support/given.ts';
import { adminsIn, gatewayForAdmins, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

/** The same password as different keyboards and systems send it. */
const composed = 'Grüße an Zoé, 각하'.normalize('NFC');
const decomposed = composed.normalize('NFD');
const forms: [from: string, to: string, set: string, given: string][] = [
  ['composed', 'decomposed', composed, decomposed],
  ['decomposed', 'composed', decomposed, composed],
];

const owner = (password: string) => ({ email: uniqueEmail('owner'), display_name: 'Me', password });
const tooShort = (field: string) => ({
  status: 422,
  body: { detail: [{ loc: ['body', field], type: 'string_too_short', msg: expect.any(String) }] },
});
/** Eight code points as they are sent, and seven letters. */
const sevenLetters = 'passwoe\u0301';

test('a password of seven letters that is sent as eight code points is refused at set-up', async () => {
  expect(await admins.send('post', '/setup', { body: owner(sevenLetters) })).toMatchObject(tooShort('password'));
});

test('the owner logs in with the decomposed form of a password that was composed at set-up', async () => {
  const body = owner(composed);
  expectOk(await admins.send('post', '/setup', { body }));

  expectOk(await admins.login(body.email, decomposed));
  // The owner of the other tests.
  const { user, access_token: token } = expectOk(await admins.login(body.email, composed));
  admins.owner = async () => ({ userId: user.user_id, email: body.email, token });
});

test.each(forms)(
  'a user who was created with a %s password logs in with its %s form (spec 12.8)',
  async (_from, _to, set, given) => {
    const { email } = await admins.created({ password: set });

    expectOk(await admins.login(email, given));
  },
);

test.each(forms)('a new password that was set %s is current and logs in %s', async (_from, _to, set, given) => {
  const { email } = await admins.created({ password: given });
  const token = await admins.login(email, set).then((answer) => expectOk(answer).access_token);
  const body = { current_password: set, new_password: `${set} 2` };

  expectOk(await admins.send('post', '/me/change-password', { token, body }));

  expectOk(await admins.login(email, `${given} 2`));
  expect((await admins.login(email, given)).status).toBe(401);
});

test.each(forms)(
  'an owner who was reset with a %s password logs in with its %s form',
  async (_from, _to, set, given) => {
    const email = uniqueEmail('reset');
    const program = fileURLToPath(new URL('../../../src/reset-owner.ts', import.meta.url));
    const { status } = spawnSync(process.execPath, [program, '--email', email, '--password-stdin'], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...gateway.current.environment,
      },
      input: set,
    });

    expect(status).toBe(0);
    expectOk(await admins.login(email, given));
  },
);

test('passwords that differ in more than their composition are different', async () => {
  const { email } = await admins.created({ password: composed });

  expect((await admins.login(email, 'Grusse an Zoe, 각하')).status).toBe(401);
  // Compatibility forms are other characters.
  expect((await admins.login((await admins.created({ password: 'ﬁnd the key' })).email, 'find the key')).status).toBe(
    401,
  );
});

test('the minimum is counted in code points of the composed form, wherever a password is set (spec 12.8)', async () => {
  const { token } = await admins.owner();
  const body = { current_password: composed, new_password: sevenLetters };

  expect(await admins.create({ password: sevenLetters })).toMatchObject(tooShort('password'));
  expect(await admins.send('post', '/me/change-password', { token, body })).toMatchObject(tooShort('new_password'));
  expectOk(await admins.create({ password: `${sevenLetters}!` }));
});

test('the maximum is counted in bytes of the composed form (spec 12.8)', async () => {
  const longest = 'é'.repeat(512);

  const { email } = await admins.created({ password: longest });

  expectOk(await admins.login(email, longest.normalize('NFD')));
  expect((await admins.create({ password: `${longest.normalize('NFD')}e` })).status).toBe(422);
});

test('a megabyte of combining marks is refused at once', async () => {
  const { email } = await admins.owner();
  const begin = performance.now();

  const answer = await admins.login(email, `a${'\u0301\u0316'.repeat(250_000)}`);

  expect(answer).toMatchObject({ status: 422, body: { detail: [{ type: 'string_too_long' }] } });
  expect(performance.now() - begin).toBeLessThan(2_000);
});
