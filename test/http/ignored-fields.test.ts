import { z } from 'zod';
import { ignoredFields, ignoredParameters, joinNames } from '../../src/http/validation/ignored-fields.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, type GivenTeam, givenIn, hello } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';

const Inner = z.object({ name: z.string() });
const Body = z
  .object({
    id: z.string(),
    inner: Inner.nullish(),
    items: z.array(Inner).default([]),
    events: z.preprocess((given) => given, z.array(z.string())).optional(),
    any: z.record(z.string(), z.unknown()).optional(),
    loose: z.looseObject({}).optional(),
    cut: Inner.transform(({ name }) => name).optional(),
  })
  .refine(() => true);

test.each<[string, unknown, string[]]>([
  ['nothing else', { id: 'a', inner: null, items: [{ name: 'x' }] }, []],
  ['a field', { id: 'a', user: 1 }, ['user']],
  ['a field that is null or undefined', { id: 'a', user: null, other: undefined }, []],
  ['a field that is false, 0 or empty', { a: false, b: 0, c: '' }, ['a', 'b', 'c']],
  ['a field within an object', { inner: { name: 'x', size: 1 } }, ['inner.size']],
  [
    'a field of several entries, once',
    { items: [{ size: 1 }, { size: 2 }, { age: 3 }] },
    ['items[].size', 'items[].age'],
  ],
  ['a field before a transform', { cut: { name: 'x', size: 1 } }, ['cut.size']],
  ['a key of any JSON', { any: { size: 1 }, loose: { size: 1 }, events: ['x'] }, []],
  [
    'a name with separators and letters beyond ASCII',
    { 'a, b\r\n': 1, é: 1, '\ud800': 1 },
    ['a%2C%20b%0D%0A', '%C3%A9', '%EF%BF%BD'],
  ],
  ['names of an object', { constructor: 1, toString: 1 }, ['constructor', 'toString']],
  ['no object', [1], []],
])('of a body with %s, what its schema leaves out is named (spec 1.18)', (_what, body, names) => {
  expect(ignoredFields(Body, body)).toEqual(names);
});

test('at most 50 names, 100 characters of each and 2,000 in all are written, and none is cut in the middle (spec 1.18)', () => {
  const long = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${index}é`.repeat(80), 1]));
  const short = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 1]));

  const joined = joinNames(ignoredFields(Body, long));
  expect(joined.length).toBeLessThanOrEqual(2_000);
  expect(joined.split(', ').every((name) => decodeURIComponent(name).length === 100)).toBe(true);
  expect(joinNames(ignoredFields(Body, short)).split(', ')).toHaveLength(50);
});

test('parameters of a query that a route does not have are named, and members of a record are not (spec 1.18)', () => {
  const query = z.object({ status: z.string().optional(), metadata: z.record(z.string(), z.string()).optional() });

  expect(ignoredParameters(query, { status: 'x', statsu: 'x', 'metadata.a': 'x', 'status.a': 'x' })).toEqual([
    'statsu',
    'status.a',
  ]);
});

const gateway = gatewayForTests();
const given = givenIn(gateway);

let team: GivenTeam;
beforeAll(async () => {
  team = await given.team({ models: ['sim-ok-as-ignored-fields'], credits: 100 });
});

const sentUpstream = () => gateway.current.simulator.requestsFor({ model: 'sim-ok-as-ignored-fields' }).at(-1)!.body;
const tool = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };
const options = {
  temperature: 0,
  max_tokens: 50,
  tools: [tool],
  tool_choice: 'none',
  response_format: { type: 'json_object' },
  top_p: 0.5,
  frequency_penalty: -2,
  presence_penalty: 2,
  stop: ['END'],
};
const unknown = {
  seed: 7,
  n: 2,
  stream: true,
  parallel_tool_calls: false,
  messages: [{ ...hello[0], name: 'ada' }],
};

const calls: [string, () => Promise<[string, object]>][] = [
  ['llm-call', async () => [`/api/jobs/${await given.job(team)}/llm-call`, { model_group: team.modelGroup }]],
  [
    'llm-call-stream',
    async () => [`/api/jobs/${await given.job(team)}/llm-call-stream`, { model_group: team.modelGroup }],
  ],
  ['create-and-call', async () => ['/api/jobs/create-and-call', { model: team.modelGroup }]],
  ['create-and-call-stream', async () => ['/api/jobs/create-and-call-stream', { model: team.modelGroup }]],
];

test.each(calls)(
  '%s sends every option of a call upstream, and names what it leaves out before its answer begins (spec 1.18, spec 4.11, spec 4.15)',
  async (_name, to) => {
    const [path, own] = await to();
    const body = { team_id: team.teamId, job_type: 'report', ...own, ...options, ...unknown };

    const answer = await sendRequest(gateway.current.url, 'post', path, { key: team.key, body });

    expect(answer.status).toBe(200);
    const names = answer.headers.get('x-ignored-fields')!.split(', ');
    expect(names).toEqual(expect.arrayContaining(['seed', 'n', 'stream', 'parallel_tool_calls', 'messages[].name']));
    expect(names.filter((name) => Object.hasOwn(options, name))).toEqual([]);
    expect(sentUpstream()).toMatchObject({ messages: hello, ...options });
    expect(sentUpstream()).not.toHaveProperty('seed');
  },
);

test.each<[string, string, string, () => object]>([
  ['POST', 'post', '/api/jobs/create', () => ({ team_id: team.teamId, job_type: 'report', proirity: 1 })],
  ['PUT', 'put', `/api/teams/TEAM`, () => ({ proirity: 1, metadata: { a: 1 } })],
])('a %s of the management names what it leaves out (spec 1.18)', async (_what, method, path, body) => {
  const admin = method === 'put';
  const answer = await sendRequest(gateway.current.url, method, path.replace('TEAM', team.teamId), {
    key: admin ? gateway.current.masterKey : team.key,
    body: body(),
  });

  expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([200, 'proirity']);
});

test('a misspelled filter is named, also in the repetition of a request and in a refusal (spec 1.18)', async () => {
  const listed = await as(gateway, team).get('/api/jobs?statsu=failed&metadata.a=1');
  const headers = { 'idempotency-key': 'ignored-1' };
  const body = { team_id: team.teamId, job_type: 'report', proirity: 1 };
  const first = await sendRequest(gateway.current.url, 'post', '/api/jobs/create', { key: team.key, body, headers });
  const again = await sendRequest(gateway.current.url, 'post', '/api/jobs/create', { key: team.key, body, headers });
  const refused = await as(gateway, team).post('/api/jobs/create', { ...body, team_id: 'another' });

  expect(listed.headers.get('x-ignored-fields')).toBe('statsu');
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect([first, again, refused].map((one) => one.headers.get('x-ignored-fields'))).toEqual(Array(3).fill('proirity'));
});
