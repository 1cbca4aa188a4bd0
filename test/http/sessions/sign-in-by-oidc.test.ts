import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, givenIn, unique } from '../../support/given.ts';
import { type OidcIssuer, startOidcIssuer } from '../../support/oidc-issuer.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';
import { adminsIn, goodPassword, uniqueAddress } from '../admin-users/admins.ts';
import { newBrowser } from './oidc-browser.ts';

let issuer: OidcIssuer;
const settings: Record<string, string> = { TRUST_PROXY: 'on' };
// Before the gateway, which reads its settings when it starts.
beforeAll(async () => {
  issuer = await startOidcIssuer();
  Object.assign(settings, issuer.settings);
});
afterAll(() => issuer.close());
const gateway = gatewayForTests({ worker: false, settings });
const admins = adminsIn(gateway);
const given = givenIn(gateway);
beforeAll(() => admins.owner());

const browser = () => newBrowser(gateway.current.url, uniqueAddress());
const person = (groups: string[], fields: object = {}) => {
  const subject = unique('subject');
  const claims = { email: `${subject}@example.com`, email_verified: true, name: 'Ada Byron', groups, ...fields };
  return { subject, claims, email: claims.email, signInAs: () => issuer.as(subject, claims) };
};

test('while the issuer does not answer, a sign-in leads to the page that says so, and everything else works (spec 12.42)', async () => {
  const answer = await browser().begin('/jobs');

  expect(answer.status).toBe(303);
  expect(answer.to).toBe(`${gateway.current.url}/console/login?refused=oidc_unavailable&next=%2Fjobs`);
  expect((await admins.login((await admins.owner()).email)).status).toBe(200);
  issuer.open(gateway.current.url);
});

test('the page to sign in learns what the button is called (spec 12.40)', async () => {
  expect(expectOk(await admins.send('get', '/setup/status'))).toMatchObject({ oidc_label: 'Example account' });
});

test('a person whose claim gives a role gets an account with it, and a session by cookie (spec 12.41)', async () => {
  const { signInAs, email } = person(['others', 'gateway-admins', 'gateway-users']);
  signInAs();
  const own = browser();

  const answer = await own.signIn('/jobs?status=failed');

  expect(answer).toMatchObject({ status: 303, query: { done: 'oidc', next: '/jobs?status=failed' } });
  expect(answer.to.startsWith(`${gateway.current.url}/console/login?`)).toBe(true);
  const { body } = await own.session();
  expect(body).toMatchObject({
    kind: 'admin',
    role: 'admin',
    user: { email, display_name: 'Ada Byron', signs_in_by: 'oidc', second_factor: false },
  });
  const entries = await readAudit(gateway.current, body.user.user_id);
  expect(entries.map(({ action }) => action)).toEqual(['login', 'created_user']);
  expect(entries[0]).toMatchObject({ details: { email, by: 'oidc' } });
});

test('the way to the issuer has PKCE, state and nonce, and its cookie is of this browser alone (spec 12.40)', async () => {
  const { to, headers } = await browser().begin();

  const { searchParams } = new URL(to);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    scope: 'openid email profile',
    redirect_uri: `${gateway.current.url}/api/session/oidc/callback`,
  });
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^gateway-sign-in-[0-9a-f]{10}=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
  ]);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('behind a proxy the way back is that of the proxy (spec 12.40)', async () => {
  const proxied = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'gateway.example.com',
    'x-forwarded-prefix': '/llm',
  };

  const { to, headers } = await browser().begin(undefined, proxied);

  expect(new URL(to).searchParams.get('redirect_uri')).toBe(
    'https://gateway.example.com/llm/api/session/oidc/callback',
  );
  expect(headers.getSetCookie()[0]).toMatch(/^__Host-gateway-sign-in-.*; Secure; Max-Age=600$/);
});

test('the same subject is the same account, whose role is what the claim gives at each sign-in (spec 12.41)', async () => {
  const { subject, claims, signInAs } = person(['gateway-admins']);
  signInAs();
  const first = browser();
  await first.signIn();
  const before = (await first.session()).body;

  issuer.as(subject, { ...claims, groups: ['gateway-users'], email: `changed-${claims.email}` });
  const second = browser();
  await second.signIn();

  const after = (await second.session()).body;
  expect(after.user).toMatchObject({ user_id: before.user.user_id, role: 'user', email: claims.email });
  expect((await first.session()).body.role).toBe('user');
  const actions = (await readAudit(gateway.current, before.user.user_id)).map(({ action }) => action);
  expect(actions).toContain('updated_user');
});

test('without a role a stranger gets no account, and who had one no session any more (spec 12.41)', async () => {
  const stranger = person(['others']);
  const former = person(['gateway-admins']);
  former.signInAs();
  const own = browser();
  await own.signIn();

  stranger.signInAs();
  const refused = await browser().signIn('/jobs');
  issuer.as(former.subject, { ...former.claims, groups: [] });
  const again = await browser().signIn();

  expect(refused.query).toEqual({ refused: 'oidc_no_role', next: '/jobs' });
  expect(again.query).toEqual({ refused: 'oidc_no_role' });
  expect((await own.session()).status).toBe(401);
  const users = expectOk(await admins.send('get', '', { token: (await admins.owner()).token }));
  expect(users.map(({ email }: { email: string }) => email)).not.toContain(stranger.email);
});

test.each([
  { left: 'no role', groups: [] },
  { left: 'a role that may invite nobody', groups: ['gateway-users'] },
])(
  'the invitations of a person who is left $left by the claims are withdrawn (spec 12.20, spec 12.41)',
  async ({ groups }) => {
    const { subject, claims, signInAs } = person(['gateway-admins']);
    signInAs();
    const own = browser();
    await own.signIn();
    const cookie = Object.entries(own.cookies())
      .map((pair) => pair.join('='))
      .join('; ');
    const { token } = expectOk(
      await sendRequest(gateway.current.url, 'post', '/api/admin-users/invitations', {
        body: { email: `guest-${claims.email}`, role: 'user' },
        headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-console': '1' },
      }),
    );
    const read = () => admins.send('post', '/invitations/read', { body: { token }, address: uniqueAddress() });
    expectOk(await read());

    issuer.as(subject, { ...claims, groups });
    await browser().signIn();

    expect(await read()).toMatchObject({ status: 401, body: { code: 'invitation_invalid' } });
  },
);

test('the e-mail of another account is not taken over, and one that is not verified or no e-mail is refused (spec 12.41)', async () => {
  const local = await admins.created({ role: 'user' });
  const taking = person(['gateway-owners'], { email: local.email });
  const unverified = person(['gateway-owners'], { email_verified: false });
  const invalid = person(['gateway-owners'], { email: 'nobody' });

  const queries = [];
  for (const one of [taking, unverified, invalid]) {
    one.signInAs();
    queries.push((await browser().signIn()).query.refused);
  }

  expect(queries).toEqual(['oidc_email_taken', 'oidc_no_email', 'oidc_no_email']);
  expect((await admins.login(local.email)).status).toBe(200);
  const entries = await readAudit(gateway.current, local.user_id);
  expect(entries[1]).toMatchObject({ action: 'failed_login', details: { refused: 'oidc_email_taken' } });
});

test('an account that is not active stays out (spec 12.41)', async () => {
  const { signInAs } = person(['gateway-admins']);
  signInAs();
  const own = browser();
  await own.signIn();
  const { user } = (await own.session()).body;
  const { token } = await admins.owner();
  expectOk(await admins.send('put', `/${user.user_id}`, { token, body: { is_active: false } }));

  expect((await own.session()).status).toBe(401);
  expect((await browser().signIn()).query.refused).toBe('account_inactive');
});

test('two first sign-ins of a person at once make one account', async () => {
  const { signInAs, email } = person(['gateway-users']);
  signInAs();
  const both = [browser(), browser()];

  await Promise.all(both.map((one) => one.signIn()));

  const ids = await Promise.all(both.map(async (one) => (await one.session()).body.user.user_id));
  expect(new Set(ids).size).toBe(1);
  expect(await given.admin('get', `/api/search?q=${email}`)).toMatchObject({ results: [{}] });
});

test('an account of the issuer has no password: it logs in by none, and none can be set (spec 12.43)', async () => {
  const { signInAs, email } = person(['gateway-admins']);
  signInAs();
  const own = browser();
  await own.signIn();
  const { user } = (await own.session()).body;
  const { token } = await admins.owner();
  const cookie = Object.entries(own.cookies())
    .map((pair) => pair.join('='))
    .join('; ');
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'x-console': '1' };

  const set = await admins.send('post', `/${user.user_id}/change-password`, {
    token,
    body: { new_password: goodPassword },
  });
  const changed = await admins.send('post', '/me/change-password', {
    headers,
    body: { current_password: goodPassword, new_password: 'another password' },
  });
  const factor = await admins.send('post', '/me/second-factor', { headers, body: { current_password: goodPassword } });

  expect([set, changed, factor].map(({ status, body }) => [status, body.code])).toEqual(
    Array(3).fill([400, 'no_password']),
  );
  expect(await admins.login(email)).toMatchObject({ status: 401, body: { code: 'login_failed' } });
});

test('the last active owner is not demoted by a claim (spec 12.7)', async () => {
  const { subject, claims, signInAs } = person(['gateway-owners']);
  signInAs();
  const own = browser();
  await own.signIn();
  const { user } = (await own.session()).body;
  const { pool } = gateway.current.deps.database;
  const others = "update admin_users set is_active = $2 where role = 'owner' and user_id <> $1";
  await pool.query(others, [user.user_id, false]);

  issuer.as(subject, { ...claims, groups: ['gateway-users'] });
  const refused = await browser().signIn();
  await pool.query(others, [user.user_id, true]);

  expect(refused.query.refused).toBe('last_owner');
  expect((await browser().signIn()).query.done).toBe('oidc');
});

test('a callback is used once, and in the browser that has begun it alone (spec 12.42)', async () => {
  const { signInAs } = person(['gateway-admins']);
  signInAs();
  const [own, other] = [browser(), browser()];
  const callback = await own.toCallback((await own.begin()).to);
  await other.begin();
  const kept = own.cookies();
  const withCookies = () =>
    browser().visit(callback, {
      cookie: Object.entries(kept)
        .map((pair) => pair.join('='))
        .join('; '),
    });

  const foreign = await other.visit(callback);
  const nobody = await browser().visit(callback);
  const answers = await Promise.all([withCookies(), withCookies(), withCookies()]);
  const replayed = await withCookies();

  expect([foreign, nobody, replayed].map(({ to }) => new URL(to).searchParams.get('refused'))).toEqual(
    Array(3).fill('oidc_failed'),
  );
  const outcomes = answers.map(({ to }) => new URL(to).search).sort();
  expect(outcomes).toEqual(['?done=oidc', '?refused=oidc_failed', '?refused=oidc_failed']);
});

test('a callback with another code, another state or a cookie that was changed is refused (spec 12.42)', async () => {
  const { signInAs } = person(['gateway-admins']);
  const refusedOf = async (change: (callback: URL) => void, cookie = (value: string) => value) => {
    signInAs();
    const own = browser();
    const callback = new URL(await own.toCallback((await own.begin()).to));
    change(callback);
    const [[name = '', value = ''] = []] = Object.entries(own.cookies());
    const answer = await browser().visit(callback.href, { cookie: `${name}=${cookie(value)}` });
    return new URL(answer.to).searchParams.get('refused');
  };

  expect([
    await refusedOf(({ searchParams }) => searchParams.set('code', 'x'.repeat(43))),
    await refusedOf(({ searchParams }) => searchParams.delete('code')),
    await refusedOf(({ searchParams }) => searchParams.set('state', 'x'.repeat(43))),
    await refusedOf(({ searchParams }) => searchParams.delete('state')),
    await refusedOf(({ searchParams }) => searchParams.set('iss', 'https://evil.example.com')),
    await refusedOf(
      () => undefined,
      (value) => `${value.slice(0, -3)}AAA`,
    ),
  ]).toEqual(Array(6).fill('oidc_failed'));
});

test('a token that another key has signed is refused (spec 12.42)', async () => {
  const { signInAs } = person(['gateway-owners']);
  signInAs();
  const own = browser();
  issuer.tamper = (answer) => {
    const body = JSON.parse(answer);
    const [header, payload, signature = ''] = body.id_token.split('.');
    return JSON.stringify({ ...body, id_token: [header, payload, signature.split('').reverse().join('')].join('.') });
  };

  const { query } = await own.signIn();
  issuer.tamper = undefined;

  expect(query).toEqual({ refused: 'oidc_failed' });
  expect((await own.session()).status).toBe(401);
});

test('an issuer that refuses, or breaks off at the token, leads to the page that says so (spec 12.42)', async () => {
  issuer.deny();
  const denied = await browser().signIn();
  person(['gateway-admins']).signInAs();
  issuer.tamper = () => '<html>Bad gateway</html>';
  const broken = await browser().signIn();
  issuer.tamper = undefined;

  expect([denied.query.refused, broken.query.refused]).toEqual(['oidc_denied', 'oidc_unavailable']);
});

test('failed sign-ins are limited for their network, and others are not (spec 9.2)', async () => {
  const address = uniqueAddress();
  const refused = (from: string) =>
    browser()
      .visit(`${gateway.current.url}/api/session/oidc/callback?code=x&state=y`, { 'x-forwarded-for': from })
      .then(({ to }) => new URL(to).searchParams.get('refused'));

  const all = await Promise.all(Array.from({ length: 12 }, () => refused(address)));

  expect(all.toSorted()).toEqual([...Array(10).fill('oidc_failed'), ...Array(2).fill('too_many_logins')]);
  expect(await refused(uniqueAddress())).toBe('oidc_failed');
});

test.each(['https://evil.example.com/', '//evil.example.com', '/\\evil.example.com', 'x'.repeat(2_000)])(
  'whatever page was asked for (%.30s), the browser is led to a page of this service (spec 12.40)',
  async (next) => {
    person(['gateway-users']).signInAs();

    const { to } = await browser().signIn(next);

    expect(to.startsWith(`${gateway.current.url}/console/login?done=oidc`)).toBe(true);
  },
);

test('reset-owner makes an account of the issuer one with a password, which its claims no longer change (spec 12.43)', async () => {
  const { signInAs, email } = person(['gateway-users']);
  signInAs();
  await browser().signIn();
  const { database, passwords } = gateway.current.deps;
  const { resetOwner } = await import('../../../src/services/admin-users/reset-owner.ts');

  await resetOwner(database, email, await passwords.hash(goodPassword));

  expect(expectOk(await admins.login(email)).user).toMatchObject({ role: 'owner', signs_in_by: 'password' });
  expect((await browser().signIn()).query.refused).toBe('oidc_email_taken');
});
