import { randomUUID } from 'node:crypto';
import { createLog } from '../../../src/log.ts';
import type { Caller, TeamCaller } from '../../../src/services/caller.ts';
import { createCredentialWatch } from '../../../src/services/changes/credential-watch.ts';
import { databaseForTests } from '../../support/database-for-tests.ts';
import { defaultCallSettings } from '../../support/unsent-work.ts';
import { until } from '../../support/until.ts';

const { database } = await databaseForTests();
const log = createLog('silent', 'test');
const hash = Buffer.from('a key');
const [adminSession, adminCookie, teamSession] = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(() =>
  database.pool.query(`
    insert into organizations (organization_id, name) values ('acme', 'Acme');
    insert into teams (team_id, organization_id, proxy_team_id) values ('acme', 'acme', 'acme');
    insert into virtual_keys (key_hash, team_id, key_sealed) values ('a key', 'acme', 'sealed');
    insert into admin_users (user_id, email, display_name, role, password_hash)
    values ('${adminSession}', 'grace@example.com', 'Grace', 'owner', 'x');
    insert into admin_sessions (session_id, user_id, token_hash, kind, expires_at)
    values ('${adminSession}', '${adminSession}', 'x', 'token', now() + interval '1 hour'),
           ('${adminCookie}', '${adminSession}', 'y', 'cookie', now() + interval '1 hour');
    insert into team_sessions (session_id, key_hash, token_hash, expires_at)
    values ('${teamSession}', 'a key', 'x', now() + interval '1 hour');
    insert into team_views (session_id, team_id, expires_at)
    values ('${adminCookie}', 'acme', now() + interval '1 hour')`),
);

const team = (cookie?: { sessionId: string; expiresAt: Date }): Caller => ({
  kind: 'team',
  key: { hashes: [hash, Buffer.from('under another MASTER_KEY')], id: null },
  teamId: 'acme',
  organizationId: 'acme',
  settings: defaultCallSettings,
  ...(cookie && { cookie }),
});
const admin = { kind: 'user', userId: adminSession, email: 'x', role: 'owner', sessionId: adminSession } as const;
const view = (sessionId: string): Caller => ({
  ...(team(cookie(sessionId)) as TeamCaller),
  viewer: { ...admin, sessionId },
});
const cookie = (sessionId: string) => ({ sessionId, expiresAt: new Date() });

test('the credentials of all streams are checked by one query at a time, and no stream with a valid credential ends', async () => {
  let queries = 0;
  const counting: typeof database = {
    ...database,
    query: (...given) => {
      queries += 1;
      return database.query(...given);
    },
  };
  const watch = createCredentialWatch(counting, 3_600, log, 20);
  const callers: Caller[] = [
    { kind: 'platform' },
    team(),
    team(cookie(teamSession)),
    admin,
    { ...admin, sessionId: adminCookie, cookie: cookie(adminCookie) },
    view(adminCookie),
  ];
  const watched = callers.flatMap((caller) => Array.from({ length: 10 }, () => watch.watch(caller)));
  const before = queries;

  await until(() => queries >= before + 5);
  const { ended: unknown } = watch.watch(team(cookie(randomUUID())));
  await until(() => unknown.aborted);
  const checks = queries - before;
  watch.close();

  expect(watched.filter(({ ended }) => ended.aborted)).toEqual([]);
  // 61 streams: with a query each there would be hundreds.
  expect(checks).toBeLessThan(40);
});

test('a stream of a view ends when the view has ended, or is of another session (spec 19.19)', async () => {
  const watch = createCredentialWatch(database, 3_600, log, 20);
  const { ended: other } = watch.watch(view(adminSession));
  const { ended } = watch.watch(view(adminCookie));

  await until(() => other.aborted);
  expect(ended.aborted).toBe(false);
  await database.pool.query(`delete from team_views where session_id = '${adminCookie}'`);
  await until(() => ended.aborted);
  watch.close();
});

test('no query is made without a stream', async () => {
  const queries: string[] = [];
  const counting: typeof database = {
    ...database,
    query: ({ name }) => {
      queries.push(String(name));
      return Promise.reject(new Error('no query is expected'));
    },
  };
  const watch = createCredentialWatch(counting, 3_600, log, 1);
  watch.watch({ kind: 'platform' });
  watch.watch(team()).stop();

  const other = createCredentialWatch(database, 3_600, log, 1);
  const { ended } = other.watch(team(cookie(randomUUID())));
  await until(() => ended.aborted);
  for (const one of [watch, other]) one.close();

  expect(queries).toEqual([]);
});

test('a credential is not ended by an outage of PostgreSQL', async () => {
  let failures = 0;
  const failing: typeof database = {
    ...database,
    query: () => {
      failures += 1;
      return Promise.reject(new Error('away'));
    },
  };
  const watch = createCredentialWatch(failing, 3_600, log, 1);
  const { ended } = watch.watch(team(cookie(randomUUID())));

  await until(() => failures > 3);
  watch.close();

  expect(ended.aborted).toBe(false);
});
