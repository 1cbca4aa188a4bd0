import { randomUUID } from 'node:crypto';
import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { sendRequest } from '../../support/send-request.ts';
import { spelledFor } from '../../webhook-delivery/private-spellings.ts';

const gateway = gatewayForTests({ worker: false, settings: { MAX_WEBHOOKS_PER_TEAM: '60' } });
const given = givenIn(gateway);

let team: GivenTeam;
let other: GivenTeam;
beforeAll(async () => {
  [team, other] = await Promise.all([given.team(), given.team()]);
});

const admin = asAdmin(gateway);

const registration = (fields: Record<string, unknown> = {}) => ({
  team_id: team.teamId,
  webhook_url: 'https://hooks.example.com/jobs',
  events: ['job.completed'],
  ...fields,
});
const register = (fields: Record<string, unknown> = {}, owner = team) =>
  as(gateway, owner).post('/api/webhooks/register', registration({ team_id: owner.teamId, ...fields }));
const givenWebhook = async (fields: Record<string, unknown> = {}, owner = team) =>
  expectOk(await register(fields, owner));

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('a team registers a webhook, and the secret is shown once (spec 11.1, spec 11.9)', async () => {
  const answer = await register({ events: ['job.completed', 'job.failed', 'job.completed'] });

  const { secret, ...webhook } = expectOk(answer);
  expect(webhook).toEqual({
    webhook_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    team_id: team.teamId,
    webhook_url: 'https://hooks.example.com/jobs',
    events: ['job.completed', 'job.failed'],
    is_active: 1,
    created_at: isoTime,
    last_triggered_at: null,
    auth_header: null,
  });
  expect(secret).toMatch(/^whsec_/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(expectOk(await as(gateway, team).get(`/api/webhooks/${webhook.webhook_id}`))).toEqual(webhook);
  expect(expectOk(await admin.get(`/api/webhooks/${webhook.webhook_id}`))).toEqual(webhook);
});

test('an admin registers a webhook for any existing team', async () => {
  const registered = await admin.post('/api/webhooks/register', registration());
  const lost = await admin.post('/api/webhooks/register', registration({ team_id: 'nobody' }));

  expect(expectOk(registered).team_id).toBe(team.teamId);
  expect(lost).toMatchObject({ status: 404, body: { detail: "Team 'nobody' not found" } });
});

test('a team has as many webhooks as MAX_WEBHOOKS_PER_TEAM allows, however many are registered at once (spec 9.6)', async () => {
  const eager = await given.team();

  const answers = await Promise.all(Array.from({ length: 70 }, () => register({}, eager)));
  const refused = answers.filter(({ status }) => status !== 200);
  const listed = expectOk(await as(gateway, eager).get(`/api/webhooks?team_id=${eager.teamId}&limit=1000`));

  expect(refused).toHaveLength(10);
  expect(refused[0]).toMatchObject({
    status: 400,
    body: { detail: `Team '${eager.teamId}' already has 60 webhooks, as many as MAX_WEBHOOKS_PER_TEAM allows` },
  });
  expect(listed.webhooks).toHaveLength(60);
  const [{ webhook_id }] = listed.webhooks;
  expectOk(await as(gateway, eager).delete(`/api/webhooks/${webhook_id}`));
  expectOk(await register({}, eager));
});

test('a registration that is repeated with its Idempotency-Key is one webhook with one secret', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => as(gateway, team).post('/api/webhooks/register', registration(), headers);

  const [first, again] = [expectOk(await send()), expectOk(await send())];

  expect(again).toEqual(first);
});

test('the secret and the auth_header are encrypted in the database, and not shown again (spec 11.9)', async () => {
  const authHeader = 'Bearer canary-of-somebody-else';
  const { webhook_id, secret, auth_header } = await givenWebhook({ auth_header: authHeader });

  const rows = await gateway.current.deps.database.pool.query('select w::text from webhooks w');
  const shown = await as(gateway, team).get(`/api/webhooks/${webhook_id}`);

  const dump = JSON.stringify(rows.rows);
  for (const canary of [secret, authHeader]) {
    expect(dump).not.toContain(canary);
    expect(dump).not.toContain(Buffer.from(canary).toString('hex'));
    expect(shown.text).not.toContain(canary);
  }
  expect(auth_header).toBe('********');
  expect(shown.body.auth_header).toBe('********');
});

test("a list has the team's own webhooks, oldest first, with their total number (spec 11.1)", async () => {
  const owner = await given.team();
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push((await givenWebhook({}, owner)).webhook_id);

  const list = expectOk(await as(gateway, owner).get(`/api/webhooks?team_id=${owner.teamId}&limit=2`));
  const rest = expectOk(await admin.get(`/api/webhooks?team_id=${owner.teamId}&limit=2&offset=2`));

  const idsOf = (answer: { webhooks: { webhook_id: string }[] }) => answer.webhooks.map(({ webhook_id }) => webhook_id);
  expect([list.team_id, list.total]).toEqual([owner.teamId, 3]);
  expect(idsOf(list)).toEqual(ids.slice(0, 2));
  expect(idsOf(rest)).toEqual(ids.slice(2));
  expect(JSON.stringify(list)).not.toContain('whsec_');
});

test('a change of a webhook replaces the named fields only (spec 11.1)', async () => {
  const { webhook_id, secret, ...registered } = await givenWebhook({ auth_header: 'Bearer one' });
  const path = `/api/webhooks/${webhook_id}`;
  const { patch, get } = as(gateway, team);

  expect(expectOk(await patch(path, {}))).toEqual({ webhook_id, ...registered });
  const changed = expectOk(
    await patch(path, { webhook_url: 'https://hooks.example.com/others', events: ['job.failed'], is_active: 0 }),
  );

  const expected = { webhook_url: 'https://hooks.example.com/others', events: ['job.failed'], is_active: 0 };
  expect(changed).toEqual({ webhook_id, ...registered, ...expected });
  expect(expectOk(await patch(path, { auth_header: changed.auth_header })).auth_header).toBe('********');
  expect(expectOk(await patch(path, { auth_header: null })).auth_header).toBeNull();
  expect(expectOk(await patch(path, { is_active: 1 })).is_active).toBe(1);
  expect(expectOk(await get(path))).toEqual({ ...changed, is_active: 1, auth_header: null });
});

test('a deleted webhook is a 404, and its deliveries are deleted (spec 11.1)', async () => {
  const { webhook_id } = await givenWebhook();
  const tested = expectOk(await as(gateway, team).post(`/api/webhooks/${webhook_id}/test`));

  const deleted = await as(gateway, team).delete(`/api/webhooks/${webhook_id}`);

  expect(expectOk(deleted)).toEqual({ message: `Webhook '${webhook_id}' deleted successfully` });
  expect(await as(gateway, team).delete(`/api/webhooks/${webhook_id}`)).toMatchObject({
    status: 404,
    body: { detail: `Webhook '${webhook_id}' not found` },
  });
  const redelivered = await as(gateway, team).post(`/api/webhooks/deliveries/${tested.delivery_id}/redeliver`);
  expect(redelivered).toMatchObject({
    status: 404,
    body: { detail: `Delivery '${tested.delivery_id}' not found` },
  });
});

test('changes of a webhook are audited, those by an admin and those by the team itself, without the URL', async () => {
  const { webhook_id } = expectOk(
    await admin.post('/api/webhooks/register', registration({ webhook_url: 'https://hooks.example.com/?token=t0p' })),
  );
  await admin.patch(`/api/webhooks/${webhook_id}`, { is_active: 0 });
  await as(gateway, team).patch(`/api/webhooks/${webhook_id}`, { is_active: 1 });
  await admin.delete(`/api/webhooks/${webhook_id}`);

  const { teamId: team_id } = team;
  const rows = await readAudit(gateway.current, webhook_id);
  expect(rows.map(({ action, details }) => [action, details])).toEqual([
    ['deleted_webhook', { team_id }],
    ['updated_webhook', { team_id, fields: ['is_active'], caller: 'team' }],
    ['updated_webhook', { team_id, fields: ['is_active'] }],
    ['registered_webhook', { team_id, events: ['job.completed'] }],
  ]);
  expect(rows.map(({ user_id }) => user_id)).toEqual([null, null, null, null]);
});

describe('the webhooks of another team', () => {
  const pathsOf = (webhookId: string, deliveryId: string): [method: string, path: string, body?: unknown][] => [
    ['get', `/api/webhooks/${webhookId}`],
    ['patch', `/api/webhooks/${webhookId}`, { is_active: 0 }],
    ['delete', `/api/webhooks/${webhookId}`],
    ['get', `/api/webhooks/${webhookId}/deliveries`],
    ['post', `/api/webhooks/${webhookId}/test`],
    ['post', `/api/webhooks/deliveries/${deliveryId}/redeliver`],
  ];

  test('are refused with 403, without any of their data (spec 2.10)', async () => {
    const { webhook_id } = await givenWebhook();
    const { delivery_id } = expectOk(await as(gateway, team).post(`/api/webhooks/${webhook_id}/test`));

    for (const [method, path, body] of pathsOf(webhook_id, delivery_id)) {
      const answer = await sendRequest(gateway.current.url, method, path, { key: other.key, body });
      expect([path, answer.status, answer.body]).toEqual([
        path,
        403,
        { detail: 'Webhook does not belong to your team', code: 'webhook_of_another_team' },
      ]);
    }
    expect(expectOk(await as(gateway, team).get(`/api/webhooks/${webhook_id}`)).is_active).toBe(1);
  });

  test('are neither listed nor registered', async () => {
    const detail = `API key does not belong to team '${team.teamId}'`;

    expect(await as(gateway, other).get(`/api/webhooks?team_id=${team.teamId}`)).toMatchObject({
      status: 403,
      body: { detail },
    });
    expect(await as(gateway, other).post('/api/webhooks/register', registration())).toMatchObject({
      status: 403,
      body: { detail },
    });
  });

  test('a webhook with an unknown id is a 404, with an invalid id a 422, without a credential a 401', async () => {
    for (const [method, path, body] of pathsOf(randomUUID(), randomUUID())) {
      const { url } = gateway.current;
      const misspelled = path.replace(/[0-9a-f-]{36}/, 'x');
      expect((await sendRequest(url, method, path, { key: team.key, body })).status).toBe(404);
      expect((await sendRequest(url, method, misspelled, { key: team.key, body })).body.detail[0].type).toBe(
        'uuid_parsing',
      );
      expect((await sendRequest(url, method, path, { body })).status).toBe(401);
    }
  });
});

describe('the input of a webhook', () => {
  const longUrl = `https://hooks.example.com/${'a'.repeat(2_049 - 'https://hooks.example.com/'.length)}`;
  const badUrls = [
    '',
    'ftp://hooks.example.com/',
    'file:///etc/passwd',
    'http://',
    'https://user:password@hooks.example.com/',
    'https://hooks.example.com/#fragment',
    'https://hooks.example.com:0/',
    longUrl,
    ...spelledFor(80),
  ];
  const headerProblem = { loc: ['body', 'auth_header'], type: 'value_error', msg: expect.any(String) };

  test.each(badUrls.map((url) => [url.slice(0, 80), url]))('a webhook_url of %j is refused', async (_, webhook_url) => {
    const answer = await register({ webhook_url });

    expect([answer.status, answer.body]).toEqual([
      422,
      {
        detail: [{ loc: ['body', 'webhook_url'], type: 'value_error', msg: expect.any(String) }],
        code: 'request_invalid',
      },
    ]);
  });

  test.each([
    ['CR and LF', 'Bearer a\r\nX-Injected: 1'],
    ['LF', 'a\nb'],
    ['a NUL', 'a\u0000b'],
    ['another control character', 'a\u001bb'],
    ['DEL', 'a\u007fb'],
    ['what is not Latin-1', 'Bearer ключ'],
    ['an emoji', 'Bearer 🗝'],
    ['9 KB', 'a'.repeat(9 * 1_024)],
    ['8,193 characters', 'a'.repeat(8_193)],
    ['nothing', ''],
    ['nothing but spaces', '  '],
  ])('an auth_header with %s is refused', async (_, auth_header) => {
    expect(await register({ auth_header })).toMatchObject({ status: 422, body: { detail: [headerProblem] } });
  });

  test.each([
    ['visible ASCII', 'Basic dXNlcjpwYXNz'],
    ['Latin-1', 'Bearer schlüssel'],
    ['8,192 characters', 'a'.repeat(8_192)],
  ])('an auth_header of %s is accepted', async (_, auth_header) => {
    expect((await register({ auth_header })).status).toBe(200);
  });

  test.each<[string, Record<string, unknown>, string, (string | number)[]]>([
    ['no team_id', { team_id: undefined }, 'missing', ['body', 'team_id']],
    ['no webhook_url', { webhook_url: undefined }, 'missing', ['body', 'webhook_url']],
    ['a webhook_url that is a number', { webhook_url: 7 }, 'string_type', ['body', 'webhook_url']],
    ['no events', { events: undefined }, 'missing', ['body', 'events']],
    ['events as a string', { events: 'job.completed' }, 'list_type', ['body', 'events']],
    ['an empty list of events', { events: [] }, 'too_short', ['body', 'events']],
    ['an unknown event', { events: ['job.completed', 'job.done'] }, 'literal_error', ['body', 'events', 1]],
    ['an event in capitals', { events: ['JOB.COMPLETED'] }, 'literal_error', ['body', 'events', 0]],
    ['an auth_header that is a number', { auth_header: 7 }, 'string_type', ['body', 'auth_header']],
  ])('a registration with %s is refused', async (_, fields, type, loc) => {
    expect(await register(fields)).toMatchObject({ status: 422, body: { detail: [{ type, loc }] } });
  });

  test.each([[2], [-1], [true], ['1'], [0.5]])('a change with is_active %j is refused', async (is_active) => {
    const { webhook_id } = await givenWebhook();

    expect((await as(gateway, team).patch(`/api/webhooks/${webhook_id}`, { is_active })).status).toBe(422);
  });

  test('a change of a webhook is validated like a registration', async () => {
    const { webhook_id, secret, ...registered } = await givenWebhook();
    const path = `/api/webhooks/${webhook_id}`;

    for (const wrong of [
      { webhook_url: 'http://0x7f.1/' },
      { webhook_url: '' },
      { events: [] },
      { auth_header: 'a\nb' },
    ])
      expect((await as(gateway, team).patch(path, wrong)).status).toBe(422);
    expect(expectOk(await as(gateway, team).get(path))).toEqual({ webhook_id, ...registered });
  });
});
