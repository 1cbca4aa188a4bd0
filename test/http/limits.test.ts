import { gatewayForTests, startGateway } from '../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../support/given.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';

const settings = {
  RATE_LIMIT_READS_PER_MINUTE: '100',
  RATE_LIMIT_CALLS_PER_MINUTE: '60',
  RATE_LIMIT_TOKENS_PER_MINUTE: '60000',
};
const gateway = gatewayForTests({ settings });
const given = givenIn(gateway);

const asPlatform = (method: string, path: string, body?: unknown) =>
  sendRequest(gateway.current.url, method, path, { key: gateway.current.masterKey, body });

const limitsOf = ({ headers }: Answer) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
  reset: Number(headers.get('x-ratelimit-reset')),
});

const allOf = <T>(count: number, one: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

const statuses = (answers: Answer[]) => Object.groupBy(answers, ({ status }) => String(status));

function expectRefused(answer: Answer, limit: number): void {
  const nowSeconds = Date.now() / 1_000;
  expect(answer).toMatchObject({ status: 429, body: { detail: 'Rate limit exceeded' } });
  expect(limitsOf(answer)).toMatchObject({ limit });
  expect(limitsOf(answer).reset).toBeGreaterThan(nowSeconds - 1);
  expect(limitsOf(answer).reset).toBeLessThanOrEqual(nowSeconds + 61);
  const retryAfter = answer.headers.get('retry-after')!;
  expect(retryAfter).toMatch(/^\d+$/);
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  expect(Number(retryAfter)).toBeLessThanOrEqual(60);
}

test('a credential has a hundred reads and thirty writes a minute, independent of others (spec 9.1, spec 9.3)', async () => {
  const [team, other] = [await given.team(), await given.team()];
  const path = `/api/teams/${team.teamId}`;

  const reads = statuses(await allOf(110, () => as(gateway, team).get(path)));

  expect(reads['200']).toHaveLength(100);
  expect(reads['429']).toHaveLength(10);
  expectRefused(reads['429']![0]!, 100);
  const left = reads['200']!.map((answer) => limitsOf(answer).remaining).toSorted((a, b) => a - b);
  expect(left).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect((await as(gateway, other).get(`/api/teams/${other.teamId}`)).status).toBe(200);
  expect((await as(gateway, team).get('/api/jobs')).status).toBe(200);
});

test('writes are limited apart from reads, also for the platform key, and a refused write changes nothing (spec 9.1, spec 9.3)', async () => {
  const alone = await startGateway({ worker: false, settings: { ...settings, RATE_LIMIT_WRITES_PER_MINUTE: '30' } });
  try {
    const create = (organization_id: string) =>
      sendRequest(alone.url, 'post', '/api/organizations/create', {
        key: alone.masterKey,
        body: { organization_id, name: 'An organization' },
      });
    const ids = Array.from({ length: 40 }, () => unique('org'));
    const created = await Promise.all(ids.map(create));
    const made = ids.filter((_, index) => created[index]!.status === 200);
    const listed = await sendRequest(alone.url, 'get', '/api/organizations?limit=1000', { key: alone.masterKey });

    expect(made).toHaveLength(30);
    expect(created.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(
      expectOk(listed)
        .organizations.map((one: { organization_id: string }) => one.organization_id)
        .toSorted(),
    ).toEqual(made.toSorted());
  } finally {
    await alone.close();
  }
});

test("calls beyond a team's own limit of requests are refused and create no job (spec 9.1, spec 9.3)", async () => {
  const team = await given.team({ rpm_limit: 3 });

  const answers = statuses(await allOf(8, () => as(gateway, team).single()));

  expect(answers['200']).toHaveLength(3);
  expect(answers['429']).toHaveLength(5);
  expectRefused(answers['429']![0]!, 3);
  expect(limitsOf(answers['200']![0]!)).toMatchObject({ limit: 3 });
  expect(expectOk(await as(gateway, team).get('/api/jobs')).total).toBe(3);
  expect((await asPlatform('get', `/api/jobs?team_id=${team.teamId}`)).body.total).toBe(3);
});

test('streamed calls count against the limit of calls like others (spec 9.1)', async () => {
  const team = await given.team({ rpm_limit: 2 });
  const job = await given.job(team);

  const first = await as(gateway, team).call(job);
  const second = await as(gateway, team).stream(job);
  const third = await as(gateway, team).stream(job);

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(limitsOf(second)).toMatchObject({ limit: 2, remaining: 0 });
  expectRefused(third, 2);
  expect(third.headers.get('content-type')).toMatch(/^application\/json/);
});

test('the tokens of a call are reserved by estimate, and corrected to its true usage (spec 9.1)', async () => {
  const team = await given.team({ tpm_limit: 1_000, models: ['sim-tokens-7'] });

  const first = await as(gateway, team).single({ max_tokens: 900 });
  const second = await as(gateway, team).single({ max_tokens: 900 });
  const tooMany = statuses(await allOf(2, () => as(gateway, team).single({ max_tokens: 600 })));

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(tooMany['200']).toHaveLength(1);
  expectRefused(tooMany['429']![0]!, 1_000);
});

test('the reserved tokens of a call that failed after the upstream had counted them are corrected to its usage', async () => {
  const team = await given.team({ tpm_limit: 1_000, models: ['sim-no-finish-tokens-900'] });
  const job = await given.job(team);

  const failed = await as(gateway, team).stream(job);
  const { breakdown } = expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`));

  expect(failed.status).toBe(200);
  expect(breakdown).toMatchObject([{ error: expect.any(String), total_tokens: expect.any(Number) }]);
  expect(breakdown[0].total_tokens).toBeGreaterThan(900);
  expectRefused(await as(gateway, team).call(job, { max_tokens: 600 }), 1_000);
});

test('the tokens of an answer without usage are estimated by its length (spec 4.18)', async () => {
  const team = await given.team({ tpm_limit: 1_000, models: ['sim-no-usage-tokens-200'] });
  const job = await given.job(team);

  const answer = expectOk(await as(gateway, team).call(job, { max_tokens: 900 }));
  expect((await as(gateway, team).stream(job)).status).toBe(200);

  const left = 1_000 - 2 * Math.ceil(answer.response.content.length / 4);
  expectRefused(await as(gateway, team).call(job, { max_tokens: left }), 1_000);
  expect((await as(gateway, team).call(job, { max_tokens: left - 150 })).status).toBe(200);
});

/** Reads a stream that stalls until its text is that long. */
async function readFor(characters: number, response: Response): Promise<void> {
  let text = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const written = [...text.matchAll(/"content":"([^"]*)"/g)].reduce((sum, [, content]) => sum + content!.length, 0);
    if (written >= characters) return;
  }
  throw new Error(`the stream ended too soon:\n${text}`);
}

test('the tokens of a stream that is cancelled just before its end are estimated by its length', async () => {
  const team = await given.team({ tpm_limit: 1_000, models: ['sim-tokens-900-stream-stall-800'] });
  const job = await given.job(team);
  const streaming = await fetch(`${gateway.current.url}/api/jobs/${job}/llm-call-stream`, {
    method: 'post',
    headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model_group: team.modelGroup, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await readFor(3_000, streaming);

  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));

  expectRefused(await as(gateway, team).single({ max_tokens: 300 }), 1_000);
});

test('the tokens of a stream that breaks off are estimated by its length, those of a call that fails before its first token are not', async () => {
  const broken = await given.team({ tpm_limit: 1_000, models: ['sim-tokens-900-stream-cut-800'] });
  const failing = await given.team({ tpm_limit: 1_000, models: ['sim-fail'] });

  for (const team of [broken, failing]) await as(gateway, team).stream(await given.job(team), { max_tokens: 900 });

  expectRefused(await as(gateway, broken).single({ max_tokens: 300 }), 1_000);
  expect((await as(gateway, failing).single({ max_tokens: 900 })).status).toBe(500);
});

test('tools and response_format count as tokens of the prompt', async () => {
  const description = 'word '.repeat(600);
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object', description } } };
  const tools = [{ type: 'function', function: { name: 'look_up', description, parameters: { type: 'object' } } }];

  for (const long of [{ response_format: format }, { tools }]) {
    const team = await given.team({ tpm_limit: 1_000 });
    const [first, second] = await allOf(2, () => as(gateway, team).single(long));
    expect([first!.status, second!.status].toSorted()).toEqual([200, 429]);
  }
});

test('a call that is larger than the limit of tokens is accepted if it is the first in its minute', async () => {
  const team = await given.team({ tpm_limit: 100 });
  const long = [{ role: 'user', content: 'word '.repeat(1_000) }];

  expect((await as(gateway, team).single({ messages: long })).status).toBe(200);
  expectRefused(await as(gateway, team).single({ messages: long }), 100);
});

const long = 'A'.repeat(400_000);

test.each<[what: string, message: object]>([
  ['a data URL in a text', { role: 'user', content: `data:image/png;base64,${long}` }],
  ['reasoning', { role: 'assistant', content: 'a', reasoning_content: long }],
  ['a file', { role: 'user', content: [{ type: 'file', file: { file_data: `data:text/plain;base64,${long}` } }] }],
  ['an unknown key of a message', { role: 'user', content: 'a', notes: [long] }],
])(
  'of twelve chat completions at once with 400 KB in %s, the default limit of tokens permits one',
  async (_, message) => {
    const team = await given.team();
    const send = () =>
      sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
        key: team.key,
        body: { model: team.modelGroup, messages: [message] },
      });

    const answers = statuses(await allOf(12, send));

    expect([answers['200']?.length, answers['429']?.length]).toEqual([1, 11]);
    for (const { headers } of answers['429']!)
      expect(Number(headers.get('x-ratelimit-remaining-tokens'))).toBeGreaterThanOrEqual(0);
  },
);

test('of twelve calls at once with 400 KB, the default limit of tokens permits one', async () => {
  const team = await given.team();
  const job = await given.job(team);

  const answers = statuses(
    await allOf(12, () => as(gateway, team).call(job, { messages: [{ role: 'user', content: long }] })),
  );

  expect([answers['200']?.length, answers['429']?.length]).toEqual([1, 11]);
});

test('what the answers of a burst used above the limit of tokens is made up in the next minutes, under /api and under /v1 (spec 9.1)', async () => {
  const team = await given.team({ tpm_limit: 1_000, models: ['sim-tokens-4000'] });

  const burst = statuses(await allOf(5, () => as(gateway, team).single()));
  const chat = () =>
    sendRequest(gateway.current.url, 'post', '/v1/chat/completions', {
      key: team.key,
      body: { model: team.modelGroup, messages: [{ role: 'user', content: 'Hello' }] },
    });
  const [refused, refusedChat] = [await as(gateway, team).single(), await chat()];
  await passMinutes(team, 10);
  const [later, laterChat] = [await as(gateway, team).single(), await chat()];
  await passMinutes(team, 50);
  const last = await as(gateway, team).single();

  expect(burst['200']).toHaveLength(5);
  for (const answer of [refused, later]) {
    expectRefused(answer, 1_000);
    expect(limitsOf(answer).remaining).toBe(0);
  }
  for (const { status, headers } of [refusedChat, laterChat]) {
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-remaining-tokens')).toBe('0');
    expect(headers.get('x-ratelimit-reset-tokens')).toMatch(/^([1-9]|[1-5]\d|60)s$/);
  }
  expect(last.status).toBe(200);
});

/** Moves the end of the team's counter of tokens nearer. */
async function passMinutes({ teamId }: GivenTeam, minutes: number): Promise<void> {
  const { commands } = gateway.current.deps.redis;
  const keys = (await commands.keys(`limit:*:tokens:${teamId}`)) as string[];
  for (const key of keys) await commands.pexpire(key, Math.max(1, (await commands.pttl(key)) - minutes * 60_000));
}

test('the limit of generated tokens of a model is reserved for calls that name none or a larger one (spec 7.14, spec 9.1)', async () => {
  const team = await given.team({ tpm_limit: 1_000, models: ['sim-ok'] });
  await given.admin('put', `/api/model-groups/${team.modelGroup}`, { max_output_tokens: 600 });
  expectOk(await as(gateway, team).single());

  const without = statuses(await allOf(2, () => as(gateway, team).single()));
  const larger = statuses(await allOf(2, () => as(gateway, team).single({ max_tokens: 100_000 })));
  const smaller = statuses(await allOf(2, () => as(gateway, team).single({ max_tokens: 100 })));

  for (const answers of [without, larger]) expect([answers['200']?.length, answers['429']?.length]).toEqual([1, 1]);
  expect(smaller['200']).toHaveLength(2);
});

test('a call that is refused for another reason releases its reserved tokens (spec 9.8)', async () => {
  const team = await given.team({ tpm_limit: 1_000 });

  for (let time = 0; time < 3; time += 1) {
    const refused = await as(gateway, team).single({ max_tokens: 900, model: 'unknown' });
    expect(refused.status).toBe(403);
  }

  expect((await as(gateway, team).single({ max_tokens: 900 })).status).toBe(200);
});

test('a call that is refused for another reason still counts as a request (spec 9.8)', async () => {
  const team = await given.team({ rpm_limit: 2 });

  for (let time = 0; time < 2; time += 1)
    expect((await as(gateway, team).single({ model: 'unknown' })).status).toBe(403);

  expectRefused(await as(gateway, team).single(), 2);
});

test('a repetition with an Idempotency-Key counts against no limit (spec 10.7)', async () => {
  const team = await given.team({ rpm_limit: 1 });
  const send = () => as(gateway, team).single({}, { 'idempotency-key': team.teamId });

  const [first, ...replays] = [await send(), await send(), await send()];

  expect(first!.status).toBe(200);
  expect(replays.map(({ status, text }) => [status, text])).toEqual([
    [200, first!.text],
    [200, first!.text],
  ]);
  expect(limitsOf(first!)).toMatchObject({ limit: 1, remaining: 0 });
  expect(replays[0]!.headers.has('x-ratelimit-limit')).toBe(false);
});

test('routes of jobs, models and probes have no limit of reads and writes', async () => {
  const team = await given.team();
  const answers = await allOf(110, () => as(gateway, team).get('/api/jobs'));

  expect(answers.every(({ status, headers }) => status === 200 && !headers.has('x-ratelimit-limit'))).toBe(true);
});

test('without Redis each process applies the limits by itself (spec 9.4)', async () => {
  const alone = await startGateway({
    worker: false,
    settings: { ...settings, REDIS_URL: 'redis://127.0.0.1:1', RATE_LIMIT_READS_PER_MINUTE: '10' },
  });
  try {
    const answers = statuses(
      await allOf(15, () => sendRequest(alone.url, 'get', '/api/organizations', { key: alone.masterKey })),
    );

    expect(answers['200']).toHaveLength(10);
    expect(answers['429']).toHaveLength(5);
  } finally {
    await alone.close();
  }
});
