import { gatewayForTests, startGateway } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { sendRequest } from '../../support/send-request.ts';
import { rawUpstreamForTests } from '../../upstream/raw-upstream.ts';
import { chatWith, hello, joined, readChunks } from './chat.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);
const upstream = rawUpstreamForTests();

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

test('a chat completion without a job header is a completed job of one call, and costs one credit (spec 17.2)', async () => {
  const team = await given.team({ credits: 5 });

  const answer = await chatWith(gateway, team)();

  const body = expectOk(answer);
  const [jobId, callId] = [answer.headers.get('x-job-id')!, answer.headers.get('x-call-id')!];
  expect(body).toEqual({
    id: `chatcmpl-${callId}`,
    object: 'chat.completion',
    created: expect.any(Number),
    model: team.modelGroup,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: expect.stringMatching(/\w/), refusal: null },
        finish_reason: 'stop',
        logprobs: null,
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: expect.any(Number), total_tokens: expect.any(Number) },
  });
  expect(callId).toMatch(uuid);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${jobId}`))).toMatchObject({
    status: 'completed',
    job_type: 'chat.completions',
    credit_applied: true,
    metadata: {},
    user_id: null,
  });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 4 });
});

test('a streamed chat completion has the role once, an empty last delta and, only if requested, a chunk of the usage (spec 17.20)', async () => {
  const team = await given.team({ models: ['sim-tokens-7-prompt-tokens-11'] });
  const chat = chatWith(gateway, team);

  const plain = await chat({ stream: true });
  const withUsage = await chat({ stream: true, stream_options: { include_usage: true } });

  expect(plain.headers.get('content-type')).toBe('text/event-stream');
  const [first, ...others] = readChunks(plain);
  expect(first).toEqual({
    id: `chatcmpl-${plain.headers.get('x-call-id')}`,
    object: 'chat.completion.chunk',
    created: expect.any(Number),
    model: team.modelGroup,
    choices: [
      { index: 0, delta: { role: 'assistant', content: expect.any(String) }, logprobs: null, finish_reason: null },
    ],
  });
  for (const { choices } of others) expect(choices[0].delta).not.toHaveProperty('role');
  expect(others.at(-1).choices[0]).toEqual({ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' });
  const chunks = readChunks(withUsage);
  for (const chunk of chunks.slice(0, -1)) expect(chunk.usage).toBeNull();
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  });
  expect(joined(withUsage).message.content).toBe(joined(plain).message.content);
});

test('at [DONE] the job of a streamed chat completion has ended and is charged', async () => {
  const team = await given.team({ credits: 5 });

  const { headers } = await chatWith(gateway, team)({ stream: true });

  const job = expectOk(await as(gateway, team).get(`/api/jobs/${headers.get('x-job-id')}`));
  expect(job).toMatchObject({ status: 'completed', credit_applied: true });
});

test('a usage chunk has zeros where the upstream reports no usage (spec 17.20)', async () => {
  const team = await given.team({ models: ['sim-no-usage'] });

  const answer = await chatWith(gateway, team)({ stream: true, stream_options: { include_usage: true } });

  expect(readChunks(answer).at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  });
});

test.each(['X-Job-Id', 'metadata.job_id'])(
  '%s names the open job of a call, which stays open (spec 17.2)',
  async (how) => {
    const team = await given.team();
    const job = await given.job(team);
    const [body, headers] = how === 'X-Job-Id' ? [{}, { 'x-job-id': job }] : [{ metadata: { job_id: job } }, {}];

    const answers = [
      await chatWith(gateway, team)(body, headers),
      await chatWith(gateway, team)({ ...body, stream: true }, headers),
    ];

    for (const answer of answers) expect([answer.status, answer.headers.get('x-job-id')]).toEqual([200, job]);
    const completed = expectOk(await as(gateway, team).complete(job));
    expect(completed.costs).toMatchObject({ total_calls: 2, failed_calls: 0, credit_applied: true });
  },
);

test('a job id of the header takes precedence over that of the metadata, and an id in upper case is the same id', async () => {
  const team = await given.team();
  const [job, other] = [await given.job(team), await given.job(team)];

  const { headers } = await chatWith(gateway, team)({ metadata: { job_id: other } }, { 'x-job-id': job.toUpperCase() });

  expect(headers.get('x-job-id')).toBe(job);
});

test.each([
  ['by headers', {}, { 'x-job-type': 'résumé', 'x-call-purpose': 'title' }, 'résumé'],
  ['by metadata', { metadata: { job_type: 'resume', trace: 'a' } }, {}, 'resume'],
])('type, user, purpose and metadata of a job are taken %s (spec 17.3)', async (_, body, headers, jobType) => {
  const team = await given.team();
  const encoded = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
  );

  const answer = await chatWith(gateway, team)({ ...body, user: 'ada', safety_identifier: 'other' }, encoded);

  const path = `/api/jobs/${answer.headers.get('x-job-id')}`;
  const metadata = (body as { metadata?: object }).metadata ?? {};
  expect(expectOk(await as(gateway, team).get(path))).toMatchObject({ job_type: jobType, user_id: 'ada', metadata });
  const { breakdown } = expectOk(await as(gateway, team).get(`${path}/costs`));
  expect(breakdown[0].purpose).toBe('x-call-purpose' in headers ? 'title' : null);
  const kept = 'select call_metadata from calls where call_id = $1';
  const { rows } = await gateway.current.deps.database.pool.query(kept, [answer.headers.get('x-call-id')]);
  expect(rows[0].call_metadata).toEqual((body as { metadata?: object }).metadata ?? null);
});

test('without a user the safety_identifier is the user of the job', async () => {
  const team = await given.team();

  const { headers } = await chatWith(gateway, team)({ user: null, safety_identifier: 'ada' });

  const job = expectOk(await as(gateway, team).get(`/api/jobs/${headers.get('x-job-id')}`));
  expect(job.user_id).toBe('ada');
});

test.each([false, true])(
  'a call in a job that has ended is a 400 that the clients do not repeat (streamed: %p) (spec 17.2)',
  async (stream) => {
    const team = await given.team();
    const job = await given.job(team);
    expectOk(await as(gateway, team).complete(job));

    const answer = await chatWith(gateway, team)({ stream }, { 'x-job-id': job });

    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual({
      message: 'Job is already completed',
      type: 'invalid_request_error',
      param: null,
      code: 'job_finished',
    });
  },
);

test('a failed call of a job of its own makes the job failed and free', async () => {
  const team = await given.team({ models: ['sim-fail-503'], credits: 5 });

  const answer = await chatWith(gateway, team)();

  expect(answer.status).toBe(502);
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`));
  expect(job).toMatchObject({ status: 'failed', credit_applied: false });
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
});

test('headers that clients send of themselves are accepted, ignored and not sent upstream (spec 17.28)', async () => {
  const foreign: Record<string, string> = {
    'openai-organization': 'org-1',
    'openai-project': 'proj-1',
    'openai-beta': 'assistants=v2',
    'x-stainless-lang': 'js',
    'http-referer': 'https://chat.example',
    'x-session-id': 'session-1',
  };
  const received: string[][] = [];
  upstream.answer = (response) => {
    if (response.req.method === 'POST') received.push(Object.keys(response.req.headers));
    response.end('{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}');
  };
  const own = await startGateway({ settings: { UPSTREAM_BASE_URL: upstream.url, UPSTREAM_TEAM_KEYS: 'off' } });
  const team = await givenIn({ current: own }).team();

  const answer = await chatWith({ current: own }, team)({}, foreign);
  const job = await as({ current: own }, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`);
  await own.close();

  expect(job.body).toMatchObject({ status: 'completed', external_task_id: null });
  expect(received).toHaveLength(1);
  expect(received[0]!.filter((name) => name in foreign)).toEqual([]);
});

test('the answer has the rate limits of requests and tokens in the form of OpenAI and in that of the service (spec 17.19)', async () => {
  const team = await given.team({ rpm_limit: 7, tpm_limit: 5_000 });

  const { headers } = await chatWith(gateway, team)({ max_tokens: 100, max_completion_tokens: 200 });

  const of = (name: string) => headers.get(name);
  expect([of('x-ratelimit-limit'), of('x-ratelimit-limit-requests'), of('x-ratelimit-limit-tokens')]).toEqual([
    '7',
    '7',
    '5000',
  ]);
  expect([of('x-ratelimit-remaining-requests'), of('x-ratelimit-reset-requests')]).toEqual([
    '6',
    expect.stringMatching(/^\d+s$/),
  ]);
  // The request that goes upstream has 108 bytes, which are 27 tokens; of the two limits of the answer the larger counts.
  expect(Number(of('x-ratelimit-remaining-tokens'))).toBe(5_000 - 27 - 200);
});

test('an image of six megabytes counts about 1,000 tokens (spec 17.15)', async () => {
  const team = await given.team({ tpm_limit: 5_000 });
  const url = `data:image/png;base64,${'A'.repeat(6_000_000)}`;
  const content = [{ type: 'image_url', image_url: { url } }];

  const answer = await chatWith(gateway, team)({ messages: [{ role: 'user', content }] });

  expect(answer.status).toBe(200);
  expect(Number(answer.headers.get('x-ratelimit-remaining-tokens'))).toBeGreaterThan(5_000 - 1_050);
});

test('a team without credits and with the policy `block` has an insufficient quota, which clients do not retry (spec 6.7, spec 17.23)', async () => {
  const team = await given.team({ credits: 0, low_balance_policy: 'block' });

  const answer = await chatWith(gateway, team)();

  expect(answer.status).toBe(429);
  expect(answer.body.error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' });
  expect([answer.headers.get('x-should-retry'), answer.headers.get('retry-after')]).toEqual(['false', null]);
});

test('a job of another team is a 403, and one that does not exist a 404', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const job = await given.job(other);

  const foreign = await chatWith(gateway, team)({}, { 'x-job-id': job });
  const unknown = await chatWith(gateway, team)({}, { 'x-job-id': 'b3ad8a0e-4a84-4b6c-9d0f-4a2c9e0f4f4e' });

  expect([foreign.status, foreign.body.error.type, foreign.body.error.code]).toEqual([
    403,
    'permission_error',
    'job_of_another_team',
  ]);
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'job_not_found']);
});

test('a chat completion with the platform key is refused with team_key_needed', async () => {
  const { url, masterKey } = gateway.current;

  const answer = await sendRequest(url, 'post', '/v1/chat/completions', {
    key: masterKey,
    body: { model: 'any', messages: hello },
  });

  expect([answer.status, answer.body.error.code]).toEqual([403, 'team_key_needed']);
});
