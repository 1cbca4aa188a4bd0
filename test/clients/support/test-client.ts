import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, type TeamOptions, unique } from '../../support/given.ts';
import { checkLedger } from '../../support/ledger.ts';
import { openedForTests } from '../../support/opened-for-tests.ts';
import type { Json } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';
import { ClientFailure, type Options, startClient } from './client-process.ts';
import type { Client, ErrorName, Operation } from './clients.ts';
import { openRelay } from './relay.ts';

/** The first calls that a client makes import half of its packages. */
const startWithinMs = 120_000;
/** Long enough for a loaded machine: only the test of time-outs is about time. */
const patientSeconds = 60;
const prompt = 'Tell me about rivers';
const next = 'And what of lakes?';
const isBlocked = { credits: 0, low_balance_policy: 'block' };

/** How many messages of the assistant a request has, and how many of them with their reasoning. */
function reasoningIn({ messages }: Json): [number, number] {
  const own = messages.filter(({ role }: Json) => role === 'assistant');
  return [own.length, own.filter(({ reasoning_content: text }: Json) => text).length];
}

interface BilledJob {
  status: string;
  charged: boolean;
  calls: number;
  failed: number;
}

/** The tests that every client has to pass: what it returns to the code that uses it, and what the team pays. */
export function testClient(client: Client): void {
  const gateway = gatewayForTests({ settings: { TURN_SETTLE_SECONDS: '1' } });
  const given = givenIn(gateway);
  const relay = openedForTests(() => openRelay(() => gateway.current.url));
  const driver = openedForTests(() => startClient(client), startWithinMs);

  beforeEach(() => {
    relay.current.requests.length = 0;
    relay.current.onAnswer = async () => undefined;
  });
  afterEach(async () => expect(await checkLedger(gateway.current.deps.database)).toEqual([]));

  const run = (team: GivenTeam, operation: Operation, options: Partial<Options> = {}) =>
    driver.current.run(operation, {
      base_url: `${relay.current.url}${client.addsVersion ? '' : '/v1'}`,
      api_key: team.key,
      model: team.modelGroup,
      prompt,
      next,
      headers: {},
      parameters: {},
      max_retries: 2,
      timeout_seconds: patientSeconds,
      streamed: false,
      ...options,
    });

  const thrownBy = async (team: GivenTeam, options: Partial<Options> = {}, operation: Operation = 'plain') => {
    const failure: unknown = await run(team, operation, options).catch((error: unknown) => error);
    if (failure instanceof ClientFailure) return failure.thrown;
    throw failure;
  };

  /** The jobs of a team, oldest first, once none is open. */
  const billed = async (team: GivenTeam): Promise<BilledJob[]> => {
    const { pool } = gateway.current.deps.database;
    const sql = `select status, credit_applied as charged, total_calls as calls, failed_calls as failed
                   from jobs where team_id = $1 order by created_at, job_id`;
    return until(
      async () => (await pool.query<BilledJob>(sql, [team.teamId])).rows,
      (jobs) => jobs.every(({ status }) => status === 'completed' || status === 'failed'),
    );
  };
  const creditsUsed = async (team: GivenTeam) => (await as(gateway, team).credits()).credits_used;

  const answered: BilledJob = { status: 'completed', charged: true, calls: 1, failed: 0 };
  const failed: BilledJob = { status: 'failed', charged: false, calls: 1, failed: 1 };
  const isTranslated = client.endpoint !== 'chat';
  const inTask = () => ({ 'X-External-Task-Id': unique('task'), 'X-Job-End': isTranslated ? 'turn' : 'answer' });
  /** What is translated goes to a model that takes only what a strict server takes. */
  const modelOf = (words: string) => {
    const phases = isTranslated ? words.split('-then-').map((phase) => `strict-${phase}`) : [words];
    return `sim-${phases.join('-then-')}-as-${unique('client')}`;
  };
  const sent = (model: string) => gateway.current.simulator.requestsFor({ model });
  const streamed: Operation[] = ['stream', ...client.also.filter((operation) => operation === 'helper')];
  const testIfItCan = (operation: Operation, title: string, body: () => Promise<void>) => {
    if (client.also.includes(operation)) test(title, body);
  };

  test.each<Operation>(['plain', ...streamed])(
    '%s returns the text of the answer, which is one job and one credit',
    async (operation) => {
      const team = await given.team({ models: [modelOf('echo')] });

      const { content } = await run(team, operation);

      expect(content).toBe(prompt);
      expect(await billed(team)).toEqual([answered]);
      expect(await creditsUsed(team)).toBe(1);
    },
  );

  test.each([false, true])(
    'an agent of five turns with static headers is one job and one credit (streamed: %p)',
    async (streamed) => {
      const model = modelOf('reasoning-content-tools-first-4-then-reasoning-content-ok');
      const team = await given.team({ models: [model] });

      const { content, cities } = await run(team, 'tools', { streamed, headers: inTask() });

      expect(content).toMatch(/\w/);
      expect(cities).toEqual(Array.from({ length: 4 }, () => expect.any(String)));
      if (isTranslated) expect(reasoningIn(sent(model).at(-1)!.body as Json)).toEqual([4, 4]);
      expect(await billed(team)).toEqual([{ ...answered, calls: 5 }]);
      expect(await creditsUsed(team)).toBe(1);
    },
  );

  test('an agent of five turns without headers is five jobs and five credits', async () => {
    const team = await given.team({ models: [modelOf('tools-first-4-then-ok')] });

    await run(team, 'tools');

    expect(await billed(team)).toEqual(Array.from({ length: 5 }, () => answered));
    expect(await creditsUsed(team)).toBe(5);
  });

  test('an agent of five turns of which one failed first and was repeated costs no credit', async () => {
    const model = modelOf('tools-first-2-then-fail-503-then-tools-first-2-then-ok');
    const team = await given.team({ models: [model] });

    const { content, cities } = await run(team, 'tools', { headers: inTask() });

    expect([content, cities.length]).toEqual([expect.stringMatching(/\w/), 4]);
    expect(await billed(team)).toEqual([{ status: 'completed', charged: false, calls: 6, failed: 1 }]);
    expect(await creditsUsed(team)).toBe(0);
  });

  test('structured output is an object of its schema', async () => {
    const team = await given.team();

    const river = await run(team, 'structured');

    expect(river).toEqual({ river: expect.any(String), length: expect.any(Number) });
    expect(await billed(team)).toEqual([answered]);
  });

  test('a client that leaves its stream pays for the answer, which is recorded to its end', async () => {
    const model = modelOf('tokens-40-every-50');
    const team = await given.team({ models: [model] });

    const { content } = await run(team, 'abort');

    expect(content).toMatch(/\w/);
    expect(await billed(team)).toEqual([answered]);
    expect(await creditsUsed(team)).toBe(1);
    const { rows } = await gateway.current.deps.database.pool.query(
      'select completion_tokens from calls where team_id = $1',
      [team.teamId],
    );
    expect(rows).toEqual([{ completion_tokens: 40 }]);
  });

  test('a client over the limit of its team waits and is then answered, and the refused request costs nothing', async () => {
    const team = await given.team({ rpm_limit: 1 });
    const statuses: number[] = [];
    relay.current.onAnswer = async (status, headers) => {
      statuses.push(status);
      if (status !== 429) return undefined;
      // The minute is over for the test: the limit is lifted, and the client is told to wait for a moment only.
      expect(Number(headers['retry-after-ms'])).toBeGreaterThan(0);
      await given.admin('put', `/api/teams/${team.teamId}`, { rpm_limit: 1_000 });
      Object.assign(headers, { 'retry-after': '1', 'retry-after-ms': '10' });
      return undefined;
    };
    await run(team, 'plain');

    const { content } = await run(team, 'plain');

    expect(content).toMatch(/\w/);
    expect(statuses).toEqual([200, 429, 200]);
    expect(await billed(team)).toEqual([answered, answered]);
  });

  const mistakes: Record<
    Exclude<ErrorName, 'upstream'>,
    [team: TeamOptions, options: Partial<Options>, jobs: BilledJob[]]
  > = {
    wrongKey: [{}, { api_key: `sk-${'a'.repeat(48)}` }, []],
    unknownModel: [{}, { model: 'unknown' }, []],
    invalidRequest: [{}, { parameters: client.refused }, []],
    noCredits: [isBlocked, {}, []],
    contextLength: [{ models: ['sim-overflow-code'] }, {}, [failed]],
  };

  test.each(Object.entries(mistakes))(
    '%s is thrown as the corresponding error of the client, without a repetition that cannot succeed, and costs nothing',
    async (name, [fields, options, jobs]) => {
      const team = await given.team(fields);
      const before = await creditsUsed(team);

      const thrown = await thrownBy(team, options);

      const { message: _, ...kind } = thrown;
      expect(kind).toEqual(client.errors[name as ErrorName]);
      expect(relay.current.requests).toHaveLength(kind.status === 429 && client.repeatsEvery429 ? 3 : 1);
      expect(await billed(team)).toEqual(jobs);
      expect(await creditsUsed(team)).toBe(before);
    },
  );

  test('a client whose model fails makes three requests, and none of them costs anything', async () => {
    const team = await given.team({ models: ['sim-fail-503'] });

    const { message: _, ...kind } = await thrownBy(team);

    expect(kind).toEqual(client.errors.upstream);
    expect(relay.current.requests).toHaveLength(3);
    expect(await billed(team)).toEqual([failed, failed, failed]);
    expect(await creditsUsed(team)).toBe(0);
  });

  test.each(
    ['error-in-stream-2', 'stream-cut-2'].flatMap((words) => streamed.map((operation) => [words, operation] as const)),
  )('an answer that ends after two tokens (%s) is thrown by %s, and costs nothing', async (words, operation) => {
    const team = await given.team({ models: [modelOf(words)] });

    const thrown = await thrownBy(team, { max_retries: 0 }, operation);

    expect(thrown.message).toMatch(/failed|error/i);
    expect(await billed(team)).toEqual([failed]);
  });

  test('an answer that is lost on its way is repeated with its Idempotency-Key, and is charged once', async () => {
    const model = modelOf('ok');
    const team = await given.team({ models: [model] });
    relay.current.onAnswer = async () => (relay.current.requests.length === 1 ? 'cut' : undefined);

    const { content } = await run(team, 'plain', { headers: { 'Idempotency-Key': unique('key') } });

    expect(content).toMatch(/\w/);
    expect(relay.current.requests).toHaveLength(2);
    expect(sent(model)).toHaveLength(1);
    expect(await billed(team)).toEqual([answered]);
    expect(await creditsUsed(team)).toBe(1);
  });

  testIfItCan('followUp', 'a conversation goes on with what the model has answered and reasoned', async () => {
    const model = modelOf('reasoning-content-ok');
    const team = await given.team({ models: [model] });

    const { contents } = await run(team, 'followUp');

    const { messages } = sent(model)[1]!.body as { messages: Json[] };
    expect(messages.slice(-3)).toMatchObject([
      { role: 'user', content: expect.anything() },
      { role: 'assistant', content: expect.anything(), reasoning_content: expect.stringMatching(/\w/) },
      { role: 'user' },
    ]);
    expect(JSON.stringify(messages.at(-2))).toContain(contents[0]);
    expect(JSON.stringify(messages.at(-1))).toContain(next);
    expect(await billed(team)).toEqual([answered, answered]);
  });

  testIfItCan('background', 'a response in the background is gone on with where its events were left', async () => {
    const model = modelOf('tokens-30-every-20');
    const team = await given.team({ models: [model] });

    const { numbers, status, content } = await run(team, 'background');

    expect(numbers).toEqual(numbers.map((_: number, index: number) => index));
    expect([status, content]).toEqual(['completed', expect.stringMatching(/\w/)]);
    expect(sent(model)).toHaveLength(1);
    expect(await billed(team)).toEqual([answered]);
    expect(await creditsUsed(team)).toBe(1);
  });

  testIfItCan('embeddings', 'vectors are the same in every form, and two requests share a job', async () => {
    const team = await given.team({ models: ['sim-ok'] });

    const { vectors, same } = await run(team, 'embeddings');

    expect(vectors).toHaveLength(2);
    expect(vectors[0].length).toBeGreaterThan(1);
    for (const [index, vector] of vectors.entries())
      for (const [at, number] of vector.entries()) expect(number).toBeCloseTo(same[index][at], 5);
    const { jobs } = expectOk(await as(gateway, team).get('/api/jobs'));
    expect(jobs).toMatchObject([{ job_type: 'embeddings', status: 'in_progress' }]);
  });

  testIfItCan('count', 'tokens are counted, which is no job', async () => {
    const team = await given.team();

    const { tokens } = await run(team, 'count');

    expect(tokens).toBeGreaterThan(3);
    expect(await billed(team)).toEqual([]);
  });

  if (client.repeatsTimeouts)
    test('a client that times out and repeats its request receives the answer of its first call, and is charged once', async () => {
      const model = modelOf('slow-4000');
      const team = await given.team({ models: [model] });

      const { content } = await run(team, 'plain', { timeout_seconds: 1.5, max_retries: 20 });

      expect(content).toMatch(/\w/);
      expect(relay.current.requests.length).toBeGreaterThan(1);
      expect(sent(model)).toHaveLength(1);
      expect(await billed(team)).toEqual([answered]);
      expect(await creditsUsed(team)).toBe(1);
    });
}
