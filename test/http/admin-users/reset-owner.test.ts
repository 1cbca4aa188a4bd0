import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expectOk } from '../../support/given.ts';
import { adminsIn, gatewayForAdmins, goodPassword, uniqueEmail } from './admins.ts';

const gateway = gatewayForAdmins();
const admins = adminsIn(gateway);

const program = fileURLToPath(new URL('../../../src/reset-owner.ts', import.meta.url));

/** `npm run reset-owner -- …args`, with what is typed at its standard input. */
async function resetOwner(args: string[], typed = '') {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...gateway.current.environment },
  });
  child.stdin.end(typed);
  const [[code], output, errors] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { code, output, errors };
}

test('reset-owner makes a deactivated account of another role an active owner, with the password from standard input', async () => {
  const { token } = await admins.owner();
  const { email, user_id } = await admins.created({ role: 'user' });
  expectOk(await admins.send('put', `/${user_id}`, { token, body: { is_active: false } }));

  const { code, output } = await resetOwner(['--email', email, '--password-stdin'], 'a password with blanks \r\n');

  expect(code).toBe(0);
  expect(JSON.parse(output)).toEqual({ email, user_id, created: false });
  const session = expectOk(await admins.login(email, 'a password with blanks '));
  expect(session.user).toMatchObject({ user_id, role: 'owner', is_active: true });
});

test('reset-owner creates an owner for an unknown e-mail, also after the set-up', async () => {
  const email = uniqueEmail('new');

  const { output } = await resetOwner(['--email', email]);

  const printed = JSON.parse(output);
  expect(printed).toMatchObject({ email, created: true });
  expect(expectOk(await admins.login(email, printed.password)).user).toMatchObject({ role: 'owner', is_active: true });
});

test.each([
  ['no e-mail', [], ''],
  ['what is no e-mail', ['--email', 'nobody'], ''],
  ['a short password', ['--email', 'a@example.com', '--password-stdin'], 'short\n'],
  ['an unknown option', ['--email', 'a@example.com', '--password', goodPassword], ''],
])('reset-owner with %s changes nothing and prints the reason', async (_, args, typed) => {
  const { rows: before } = await gateway.current.deps.database.pool.query('select count(*) from admin_users');

  const { code, output, errors } = await resetOwner(args, typed);

  expect(code).toBe(1);
  expect(output).toBe('');
  expect(errors).not.toBe('');
  expect(errors).not.toMatch(/^\s+at /m);
  const { rows: after } = await gateway.current.deps.database.pool.query('select count(*) from admin_users');
  expect(after).toEqual(before);
});

test('reset-owner prints a new password once, and the old sessions end', async () => {
  const owner = await admins.owner();

  const { code, output } = await resetOwner(['--email', owner.email]);

  const printed = JSON.parse(output);
  expect(code).toBe(0);
  expect(printed).toEqual({
    email: owner.email,
    user_id: owner.userId,
    created: false,
    password: expect.stringMatching(/^[\w-]{24}$/),
  });
  expect((await admins.send('get', '/me', { token: owner.token })).status).toBe(401);
  expect((await admins.login(owner.email)).status).toBe(401);
  const { access_token } = expectOk(await admins.login(owner.email, printed.password));
  const [entry] = expectOk(await admins.send('get', '/audit-logs?action=reset_owner', { token: access_token }));
  expect(entry).toMatchObject({ resource_id: owner.userId, details: { email: owner.email, created: false } });
  expect(entry).not.toHaveProperty('user_id');
  expect(JSON.stringify(entry)).not.toContain(printed.password);
});
