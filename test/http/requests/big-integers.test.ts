import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gatewayForTests } from '../../support/gateway.ts';
import { expectOk, type GivenTeam, givenIn, hello, unique } from '../../support/given.ts';
import { type Answer, sendRequest } from '../../support/send-request.ts';

/** An upstream that shows the bytes that it was sent. */
const received: string[] = [];
const completion = {
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const upstream = createServer(async (request, response) => {
  received.push(await text(request));
  response.setHeader('content-type', 'application/json').end(JSON.stringify(completion));
}).listen(0, '127.0.0.1');
await once(upstream, 'listening');
afterAll(() => {
  upstream.close();
});

const gateway = gatewayForTests({
  settings: { UPSTREAM_BASE_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` },
});
const given = givenIn(gateway);

/** 2^53 + 1: as a double it is 2^53. */
const big = '9007199254740993';
let team: GivenTeam;
beforeAll(async () => {
  team = await given.team({ models: ['big-integers'], credits: 100 });
});

/** `"@9007199254740993"` in the body is sent as the number. */
function send(method: string, path: string, body: object, headers = {}, key = team.key): Promise<Answer> {
  const raw = JSON.stringify(body).replaceAll(/"@([^"]*)"/g, '$1');
  return sendRequest(gateway.current.url, method, path, {
    key,
    raw,
    headers: { 'content-type': 'application/json', ...headers },
  });
}
const asAdmin = (method: string, path: string, body: object) => send(method, path, body, {}, gateway.current.masterKey);

const nested = { deep: [1, { id: `@${big}` }] };
const refusal = (field: string) => [
  {
    loc: ['body', field, 'deep', 1, 'id'],
    msg: 'Integers beyond 2^53 cannot be stored exactly: send a string',
    type: 'value_error',
  },
];
const job = () => ({ team_id: team.teamId, job_type: 'report' });
const call = () => ({ model_group: team.modelGroup, messages: hello });
const single = () => ({ ...job(), model: team.modelGroup, messages: hello });

const stored: [what: string, field: string, request: () => Promise<Answer>][] = [
  ['a new job', 'metadata', () => send('post', '/api/jobs/create', { ...job(), metadata: nested })],
  [
    'an update of a job',
    'metadata',
    async () => send('patch', `/api/jobs/${await given.job(team)}/metadata`, { metadata: nested }),
  ],
  [
    'a completion',
    'metadata',
    async () => send('post', `/api/jobs/${await given.job(team)}/complete`, { status: 'completed', metadata: nested }),
  ],
  [
    'a call',
    'call_metadata',
    async () => send('post', `/api/jobs/${await given.job(team)}/llm-call`, { ...call(), call_metadata: nested }),
  ],
  [
    'a streamed call',
    'call_metadata',
    async () =>
      send('post', `/api/jobs/${await given.job(team)}/llm-call-stream`, { ...call(), call_metadata: nested }),
  ],
  [
    'a single-call job',
    'job_metadata',
    () => send('post', '/api/jobs/create-and-call', { ...single(), job_metadata: nested }),
  ],
  [
    'a new organization',
    'metadata',
    () => asAdmin('post', '/api/organizations/create', { organization_id: unique('org'), name: 'A', metadata: nested }),
  ],
  [
    'an update of an organization',
    'metadata',
    () => asAdmin('put', `/api/organizations/${team.organizationId}`, { metadata: nested }),
  ],
  [
    'a new team',
    'metadata',
    () =>
      asAdmin('post', '/api/teams/create', {
        organization_id: team.organizationId,
        team_id: unique('team'),
        model_groups: [team.modelGroup],
        credits_allocated: 1,
        metadata: nested,
      }),
  ],
  ['an update of a team', 'metadata', () => asAdmin('put', `/api/teams/${team.teamId}`, { metadata: nested })],
];

test.each(stored)(
  'metadata of %s with an integer that a double cannot hold is refused (spec 1.15)',
  async (_what, field, request) => {
    const countBefore = received.length;

    const answer = await request();

    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual(refusal(field));
    expect(received).toHaveLength(countBefore);
  },
);

test('metadata of an admin user with an integer that a double cannot hold is refused', async () => {
  const password = 'correct horse battery staple';
  const owner = { email: 'owner@example.com', display_name: 'The owner', password };
  const { access_token } = expectOk(await asAdmin('post', '/api/admin-users/setup', owner));
  const user = { email: 'user@example.com', display_name: 'A user', password, role: 'user' };

  const answer = await send('post', '/api/admin-users', { ...user, metadata: nested }, {}, access_token);

  expect(answer.status).toBe(422);
  expect(answer.body.detail).toEqual(refusal('metadata'));
});

test.each([
  ['9007199254740992', 9_007_199_254_740_992],
  ['-9007199254740991', -9_007_199_254_740_991],
  ['1000000000000000000000', 1e21],
  ['0.1234567890123456', 0.1234567890123456],
  ['-0', 0],
])('metadata with the number %s is stored', async (sent, returned) => {
  const jobId = expectOk(await send('post', '/api/jobs/create', { ...job(), metadata: { n: `@${sent}` } })).job_id;

  const { metadata } = expectOk(await sendRequest(gateway.current.url, 'get', `/api/jobs/${jobId}`, { key: team.key }));

  expect(metadata.n).toBe(returned);
});

test('of a key that occurs twice in metadata the last value is stored (spec 1.15)', async () => {
  const body = `{"team_id":"${team.teamId}","job_type":"report","metadata":{"n":${big},"n":1}}`;
  const headers = { 'content-type': 'application/json' };
  const jobId = expectOk(
    await sendRequest(gateway.current.url, 'post', '/api/jobs/create', { key: team.key, raw: body, headers }),
  ).job_id;

  const shown = expectOk(await sendRequest(gateway.current.url, 'get', `/api/jobs/${jobId}`, { key: team.key }));

  expect(shown.metadata).toEqual({ n: 1 });
});

test.each([
  ['an unknown field', 'create', { unknown: `@${big}` }, { unknown: '@9007199254740992' }],
  [
    'an unknown field, with many digits',
    'create',
    { unknown: '@12345678901234567890' },
    { unknown: '@12345678901234567891' },
  ],
  [
    'a response_format',
    'create-and-call',
    { response_format: { id: `@${big}` } },
    { response_format: { id: '@9007199254740992' } },
  ],
])(
  'two bodies that differ only in an integer past 2^53 of %s are different for an Idempotency-Key (spec 1.15, spec 10.4)',
  async (_what, path, one, other) => {
    const headers = { 'idempotency-key': unique('key') };
    const body = path === 'create' ? job() : single();
    const url = `/api/jobs/${path}`;

    const first = expectOk(await send('post', url, { ...body, ...one }, headers));
    const again = expectOk(await send('post', url, { ...body, ...one }, headers));
    const different = await send('post', url, { ...body, ...other }, headers);

    expect(again.job_id).toBe(first.job_id);
    expect(different.status).toBe(422);
    expect(different.body.detail).toMatchObject([{ loc: ['header', 'idempotency-key'] }]);
  },
);

test('an integer past 2^53 that is spelled in another way is the same for an Idempotency-Key (spec 10.4)', async () => {
  const headers = { 'idempotency-key': unique('key') };

  const first = expectOk(await send('post', '/api/jobs/create', { ...job(), unknown: `@${big}` }, headers));
  const again = expectOk(await send('post', '/api/jobs/create', { ...job(), unknown: `@${big}.0` }, headers));

  expect(again.job_id).toBe(first.job_id);
});

test('an integer past 2^53 below tools and response_format is sent upstream as it was written (spec 1.15)', async () => {
  const parameters = { type: 'object', properties: { id: { type: 'integer', maximum: '@18446744073709551615' } } };
  const tools = [{ type: 'function', function: { name: 'find', parameters } }];
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema: { enum: [`@${big}`, 1.5] } } };

  expectOk(await send('post', '/api/jobs/create-and-call', { ...single(), tools, response_format }));

  expect(received.at(-1)).toContain('"maximum":18446744073709551615}');
  expect(received.at(-1)).toContain(`"enum":[${big},1.5]`);
});

test('a field for a number refuses an integer past 2^53 as it refuses other integers that are too large', async () => {
  const answer = await send('post', '/api/jobs/create-and-call', { ...single(), max_tokens: `@${big}` });

  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toMatchObject({ loc: ['body', 'max_tokens'], type: 'less_than_equal' });
});
