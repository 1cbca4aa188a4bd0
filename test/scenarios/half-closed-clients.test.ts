import { teamHolder } from '../../src/holders/holder.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello, singleCallBody, unique } from '../support/given.ts';
import { rawRequest, sendAndHalfClose } from '../support/raw.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

/** Slow enough that the client has closed its sending side long before the answer. */
const model = 'sim-slow-500-as-half-closed';
const password = 'correct horse battery staple';
let team: GivenTeam;
let jobId: string;
beforeAll(async () => {
  team = await given.team({ models: [model], credits: 100 });
});
beforeEach(async () => {
  jobId = await given.job(team);
});

const call = () => ({ model_group: team.modelGroup, messages: hello });

interface Sent {
  method?: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  isChunked?: boolean;
}

async function send({ method = 'POST', path, body, headers, isChunked = false }: Sent) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const framing: Record<string, string> = isChunked
    ? { 'Transfer-Encoding': 'chunked' }
    : { 'Content-Length': String(length) };
  const head = { Authorization: `Bearer ${team.key}`, 'Content-Type': 'application/json', ...framing, ...headers };
  const sent = isChunked ? `${length.toString(16)}\r\n${text}\r\n0\r\n\r\n` : text;
  const received = await sendAndHalfClose(gateway.current.url, rawRequest(`${method} ${path}`, head, sent));
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]),
    text: received.slice(received.indexOf('\r\n\r\n')),
  };
}

const cases: [what: string, sent: () => Sent, answer: RegExp][] = [
  ['a call', () => ({ path: `/api/jobs/${jobId}/llm-call`, body: call() }), /"finish_reason":"stop"/],
  [
    'a call with a chunked body',
    () => ({ path: `/api/jobs/${jobId}/llm-call`, body: call(), isChunked: true }),
    /"finish_reason":"stop"/,
  ],
  [
    'a call with an Idempotency-Key',
    () => ({ path: `/api/jobs/${jobId}/llm-call`, body: call(), headers: { 'Idempotency-Key': unique('key') } }),
    /"finish_reason":"stop"/,
  ],
  ['a streamed call', () => ({ path: `/api/jobs/${jobId}/llm-call-stream`, body: call() }), /"stop".*data: \[DONE\]/s],
  [
    'a single-call job',
    () => ({ path: '/api/jobs/create-and-call', body: singleCallBody(team) }),
    /"status":"completed"/,
  ],
  [
    'a streamed single-call job',
    () => ({ path: '/api/jobs/create-and-call-stream', body: singleCallBody(team) }),
    /"stop".*data: \[DONE\]/s,
  ],
  [
    'the completion of a job',
    () => ({ path: `/api/jobs/${jobId}/complete`, body: { status: 'completed' } }),
    /"status":"completed"/,
  ],
  [
    'the creation of a job',
    () => ({ path: '/api/jobs/create', body: { team_id: team.teamId, job_type: 'report' } }),
    /"status":"pending"/,
  ],
  ['a job', () => ({ method: 'GET', path: `/api/jobs/${jobId}` }), /"job_type":"report"/],
  ['a list', () => ({ method: 'GET', path: `/api/teams/${team.teamId}/jobs` }), /"total":/],
];

test.each(cases)(
  'a client that requests %s and closes its sending side gets its answer (spec 5.8)',
  async (_what, sent, answer) => {
    const received = await send(sent());

    expect(received).toEqual({ status: 200, text: expect.stringMatching(answer) });
  },
);

test('a completion that waits for a call in flight is answered to a client that has closed its sending side (spec 5.8)', async () => {
  const calling = as(gateway, team).call(jobId);
  const completed = await send({ path: `/api/jobs/${jobId}/complete`, body: { status: 'completed' } });

  expect(completed.status).toBe(200);
  await calling;
});

test('a refusal reaches a client that has closed its sending side', async () => {
  expect((await send({ path: `/api/jobs/${jobId}/llm-call`, body: {} })).status).toBe(422);
  expect((await send({ path: '/api/nothing' })).status).toBe(404);
});

test('two pipelined requests are both answered to a client that has closed its sending side', async () => {
  const request = rawRequest(`GET /api/jobs/${jobId}`, { Authorization: `Bearer ${team.key}` });

  const received = await sendAndHalfClose(gateway.current.url, `${request}${request}`);

  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

test('an owner who closes the sending side right after the login is logged in', async () => {
  const owner = { email: 'owner@example.com', password };
  const setUp = await send({ path: '/api/admin-users/setup', body: { ...owner, display_name: 'The owner' } });
  const login = await send({ path: '/api/admin-users/login', body: owner });

  expect([setUp.status, login.status]).toEqual([200, 200]);
});

test('a login that has to wait for its turn is refused with 503 when its client closes the sending side (spec 5.8)', async () => {
  const { passwords } = gateway.current.deps.measures.places;
  const releases = await Promise.all(['one', 'other'].map((team) => passwords.acquire(teamHolder(team))));

  const login = await send({ path: '/api/admin-users/login', body: { email: 'nobody@example.com', password } });
  for (const release of releases) release();

  expect(login.status).toBe(503);
});

test('a client that closes its sending side in the middle of its body has no effect', async () => {
  const head = { Authorization: `Bearer ${team.key}`, 'Content-Type': 'application/json', 'Content-Length': '1000' };
  const begun = rawRequest(`POST /api/jobs/${jobId}/complete`, head, '{"status":"completed"');

  await sendAndHalfClose(gateway.current.url, begun);

  expect(expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`)).status).toBe('pending');
});
