import { randomUUID } from 'node:crypto';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { adminsIn, goodPassword } from '../admin-users/admins.ts';
import { type Browser, browserIn } from './browser.ts';

const gateway = gatewayForTests({ worker: false });
const admins = adminsIn(gateway);
const browser = browserIn(gateway);
const path = '/api/admin-users/me/sessions';

interface Listed {
  session_id: string;
  user_agent: string;
  is_current: boolean;
}

async function userWithSessions(agents: string[]) {
  const { email, user_id } = await admins.created({ role: 'user' });
  const sessions: Browser[] = [];
  for (const agent of agents)
    sessions.push(await browser.signedIn({ email, password: goodPassword }, { 'user-agent': agent }));
  return { userId: user_id, email, sessions };
}

const list = async ({ get }: Browser): Promise<Listed[]> => expectOk(await get(path)).sessions;
const statusOf = async ({ get }: Browser) => (await get('/api/session')).status;

test('an admin user sees all sessions of their own, by cookie and by token, the newest first (spec 19.10)', async () => {
  const { email, sessions } = await userWithSessions(['first', 'second']);
  await userWithSessions(['of somebody else']);
  const token = await admins.token(email);

  const seen = await list(sessions[0]!);

  expect(seen.map(({ is_current }) => is_current)).toEqual([false, false, true]);
  expect(seen.slice(1).map(({ user_agent }) => user_agent)).toEqual(['second', 'first']);
  expect(seen[0]).toMatchObject({ expires_at: expect.any(String), ip_address: '127.0.0.1' });
  expect(JSON.stringify(seen)).not.toContain('hash');
  const byToken: Listed[] = expectOk(await admins.send('get', '/me/sessions', { token })).sessions;
  expect(byToken.map(({ is_current }) => is_current)).toEqual([true, false, false]);
});

test('a session that its user ends is refused from then on, and the end is audited (spec 19.10)', async () => {
  const { userId, sessions } = await userWithSessions(['first', 'second']);
  const [own, other] = sessions as [Browser, Browser];
  const { session_id } = (await list(own)).find(({ user_agent }) => user_agent === 'second')!;

  expectOk(await own.send('delete', `${path}/${session_id}`));

  expect([await statusOf(own), await statusOf(other)]).toEqual([200, 401]);
  expect(await list(own)).toHaveLength(1);
  expect((await own.send('delete', `${path}/${session_id}`)).status).toBe(404);
  const [entry] = await readAudit(gateway.current, session_id);
  expect(entry).toMatchObject({ action: 'ended_session', user_id: userId });
});

test('a user cannot end the session of another user, and an unknown session is a 404 (spec 19.10)', async () => {
  const [one, other] = [await userWithSessions(['one']), await userWithSessions(['other'])];
  const { session_id } = (await list(other.sessions[0]!))[0]!;

  const answers = [
    await one.sessions[0]!.send('delete', `${path}/${session_id}`),
    await one.sessions[0]!.send('delete', `${path}/${randomUUID()}`),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  expect(await statusOf(other.sessions[0]!)).toBe(200);
});

test('a user ends all own sessions but that of the request, with one audit entry, and no session of another user (spec 19.10, spec 19.11)', async () => {
  const { userId, sessions } = await userWithSessions(['first', 'second', 'third']);
  const somebody = await userWithSessions(['somebody']);

  const answer = expectOk(await sessions[1]!.send('delete', path));
  const again = expectOk(await sessions[1]!.send('delete', path));

  expect([answer.message, again.message]).toEqual(['2 sessions ended successfully', '0 sessions ended successfully']);
  expect(await Promise.all(sessions.map(statusOf))).toEqual([401, 200, 401]);
  expect(await statusOf(somebody.sessions[0]!)).toBe(200);
  const actions = (await readAudit(gateway.current, userId)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'ended_other_sessions')).toHaveLength(1);
});
