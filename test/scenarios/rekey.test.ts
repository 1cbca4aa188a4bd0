import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecrets } from '../../src/auth/secrets.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import type { RunningWorker } from '../../src/worker/run-worker.ts';
import { canMakeCalls } from '../../tools/dev/can-make-calls.ts';
import { adminsIn, goodPassword } from '../http/admin-users/admins.ts';
import { type ApiProcess, startApiProcess } from '../support/api-process.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, singleCallBody } from '../support/given.ts';
import { logLevel } from '../support/quiet-temporal.ts';
import { runProgram } from '../support/run-program.ts';
import { type Answer, type Json, sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { startWorkerInProcess } from '../support/worker-in-process.ts';

/** The gateway in this process has the old key, as everything has before the rotation. */
const gateway = gatewayForTests({
  worker: false,
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', MAX_WEBHOOKS_PER_TEAM: '250' },
});
const given = givenIn(gateway);
const newKey = `new-${randomUUID()}`;

let api: ApiProcess;
let worker: RunningWorker;
const endAll = async () => {
  worker?.shutdown();
  await Promise.all([api?.end(), worker?.stopped]);
};
afterAll(endAll);

const keysOf = (...[current, previous]: string[]) => ({ MASTER_KEY: current, MASTER_KEY_PREVIOUS: previous ?? '' });
const oldKey = () => gateway.current.masterKey;

async function restart(...keys: string[]): Promise<void> {
  await endAll();
  [api, worker] = await Promise.all([
    startApiProcess(gateway.current, keysOf(...keys)),
    startWorkerInProcess(
      loadConfig({ ...gateway.current.environment, ...keysOf(...keys) }),
      createLog(logLevel, 'test'),
    ),
  ]);
  await until(() => canMakeCalls(api.url));
}

const rekey = async (...keys: string[]): Promise<Json[]> => {
  const output = await runProgram('src/rekey.ts', { DATABASE_URL: gateway.current.databaseUrl, ...keysOf(...keys) });
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
};

/** Every sealed value, with the context of its own. */
async function sealedValues(): Promise<{ sealed: Buffer; context: string }[]> {
  const { rows } = await gateway.current.deps.database.pool.query(
    `select key_sealed as sealed, team_id as context from virtual_keys
     union all select key_sealed, team_id from team_keys
     union all select secret_sealed, 'webhook-secret:' || webhook_id from webhooks
     union all select auth_header_sealed, 'webhook-auth-header:' || webhook_id from webhooks
     union all select second_factor_sealed, 'second-factor:' || user_id from admin_users
       where second_factor_sealed is not null
     union all select answer_sealed, encode(scope, 'hex') from idempotency_keys where answer_sealed is not null`,
  );
  return rows;
}

const opensWith = async (key: string): Promise<number> => {
  const secrets = createSecrets(key);
  const opens = ({ sealed, context }: { sealed: Buffer; context: string }) => {
    try {
      return secrets.open(sealed, context) !== '';
    } catch {
      return false;
    }
  };
  return (await sealedValues()).filter(opens).length;
};

/** Requests of a team and of an admin, of every kind that reads or writes a secret, until it is stopped. */
function startRequests(team: GivenTeam, further: string) {
  const answers: Answer[] = [];
  let isStopped = false;
  const send = async () => {
    const post = (path: string, body: unknown) => sendRequest(api.url, 'post', path, { key: team.key, body });
    answers.push(
      ...(await Promise.all([
        sendRequest(api.url, 'get', `/api/teams/${team.teamId}`, { key: team.key }),
        sendRequest(api.url, 'get', `/api/teams/${team.teamId}`, { key: further }),
        sendRequest(api.url, 'get', `/api/teams/${team.teamId}`, { key: oldKey() }),
        sendRequest(api.url, 'get', `/api/teams/${team.teamId}`, { key: newKey }),
        post('/api/jobs/create-and-call', singleCallBody(team)),
        post('/api/webhooks/register', {
          team_id: team.teamId,
          webhook_url: 'http://127.0.0.1:9/',
          events: ['job.failed'],
          auth_header: 'Bearer of-the-receiver',
        }),
      ])),
    );
    await pause(100);
  };
  const sending = (async () => {
    while (!isStopped) await send();
  })();
  return {
    async stop() {
      isStopped = true;
      await sending;
      return answers;
    },
  };
}

test('while MASTER_KEY is exchanged no request is refused or fails, and afterwards the old key opens no value and authenticates no request (spec 15.7, spec 15.8)', async () => {
  await restart(oldKey());
  const team = await given.team({ credits: 100_000 });
  const admin = await adminsIn(gateway).owner();
  const me = (token: string) => sendRequest(api.url, 'get', '/api/admin-users/me', { key: token });
  const secondFactor = { key: admin.token, body: { current_password: goodPassword } };
  expectOk(await sendRequest(api.url, 'post', '/api/admin-users/me/second-factor', secondFactor));
  const repeated = { 'Idempotency-Key': randomUUID() };
  const first = expectOk(await as(gateway, team).single({}, repeated));
  const rotation = { key: oldKey(), headers: { 'Idempotency-Key': randomUUID() } };
  const other = await given.team();
  const rotate = () => sendRequest(api.url, 'post', `/api/teams/${other.teamId}/rotate-key`, rotation);
  const rotated = expectOk(await rotate());
  const creation = { key: oldKey(), body: { name: 'further' }, headers: { 'Idempotency-Key': randomUUID() } };
  const createKey = () => sendRequest(api.url, 'post', `/api/teams/${team.teamId}/keys`, creation);
  const further = expectOk(await createKey());

  await restart(newKey, oldKey());
  const requests = startRequests(team, further.virtual_key);
  const changed = await rekey(newKey, oldKey());
  const again = await rekey(newKey, oldKey());
  const answers = await requests.stop();

  expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
  expect(changed.map(({ column, unreadable }) => [column, unreadable])).toEqual([
    ['virtual_keys.key_sealed', 0],
    ['team_keys.key_sealed', 0],
    ['webhooks.secret_sealed', 0],
    ['webhooks.auth_header_sealed', 0],
    ['admin_users.second_factor_sealed', 0],
    ['idempotency_keys.answer_sealed', 0],
  ]);
  expect(changed.slice(0, 2).map(({ resealed }) => resealed)).toEqual([3, 1]);
  expect(again.map(({ resealed }) => resealed)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await opensWith(oldKey())).toBe(0);
  expect(await opensWith(newKey)).toBe((await sealedValues()).length);

  const second = await sendRequest(api.url, 'post', '/api/jobs/create-and-call', {
    key: team.key,
    body: singleCallBody(team),
    headers: repeated,
  });
  expect(expectOk(second)).toEqual(first);
  expect(expectOk(await rotate())).toEqual(rotated);
  expect(expectOk(await createKey())).toEqual(further);
  expect((await me(admin.token)).status).toBe(200);

  await restart(newKey);
  const read = (key: string) => sendRequest(api.url, 'get', `/api/teams/${team.teamId}`, { key });
  expect((await read(team.key)).body.credits.virtual_key).toBe(team.key);
  expect((await read(further.virtual_key)).body.credits.virtual_key).toBe(further.virtual_key);
  expect((await read(newKey)).body.credits.virtual_key).toBe(team.key);
  expectOk(
    await sendRequest(api.url, 'post', '/api/jobs/create-and-call', { key: team.key, body: singleCallBody(team) }),
  );
  expect((await read(oldKey())).status).toBe(401);
  expect((await me(admin.token)).status).toBe(401);
}, 180_000);

test('an interrupted rotation of a team key that is repeated under a new MASTER_KEY issues the same key (spec 15.7)', async () => {
  const { deps } = gateway.current;
  const team = await given.team();
  await restart(newKey, oldKey());
  const headers = { 'Idempotency-Key': randomUUID() };
  const rotate = (url: string) =>
    sendRequest(url, 'post', `/api/teams/${team.teamId}/rotate-key`, { key: oldKey(), headers });
  const { virtual_key } = expectOk(await rotate(gateway.current.url));
  await deps.database.pool.query(
    'update idempotency_keys set status = null, headers = null, answer_sealed = null, locked_until = null',
  );

  const repeated = expectOk(await rotate(api.url));

  expect(repeated.virtual_key).toBe(virtual_key);
  expect((await sendRequest(api.url, 'get', `/api/teams/${team.teamId}`, { key: virtual_key })).status).toBe(200);
}, 90_000);

test('rekey processes exactly the columns whose names end with _sealed (spec 15.8)', async () => {
  const { rows } = await gateway.current.deps.database.pool.query(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like '%\\_sealed' order by 1`,
  );

  const changed = await rekey(newKey, oldKey());

  expect(changed.map(({ column }) => column).sort()).toEqual(rows.map(({ name }) => name));
});
