import { readEvents } from '../support/events.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';

const gateway = gatewayForTests({ settings: { UPSTREAM_TIMEOUT_SECONDS: '3' } });
const given = givenIn(gateway);

/** Messages, addresses, keys and models of the upstream, which no answer may contain: `spec 3.9` and `spec 4.3` */
const ofTheUpstream = /sim-|litellm|openai|simulat|127\.0\.0\.1|localhost|sk-|model group'|Error:/i;

const costsOf = async (job: string) => given.admin('get', `/api/jobs/${job}/costs`);

test.each([
  ['fail-400', 'the upstream rejected the request'],
  ['fail-429', 'the upstream is rate limited'],
  ['fail-500', 'the upstream answered with status 500'],
  ['hang', 'the upstream timed out'],
  ['reset', 'the upstream could not be reached'],
  ['half-json-0', 'the upstream sent an unreadable answer'],
  ['redirect', 'the upstream answered with status 307'],
])(
  'a call whose upstream behaves as %s fails with a reason of the gateway, streamed or not, and is recorded (spec 4.3)',
  async (fault, reason) => {
    const team = await given.team({ models: [`sim-${fault}`] });
    const job = await given.job(team);

    const whole = await as(gateway, team).call(job);
    const streamed = await as(gateway, team).stream(job);
    const outcome = expectOk(await as(gateway, team).complete(job));

    expect(whole).toMatchObject({ status: 500, body: { detail: `LLM call failed: ${reason}` } });
    const events = readEvents(streamed.text);
    expect(events).toHaveLength(2);
    expect(JSON.parse(events[0]!)).toMatchObject({ error: { message: `LLM call failed: ${reason}` } });
    expect(events[1]).toBe('[DONE]');
    expect(outcome).toMatchObject({
      costs: { total_calls: 2, failed_calls: 2, credit_applied: false },
      calls: [{ error: reason }, { error: reason }],
    });
    expect([whole.text, streamed.text, JSON.stringify(outcome)].join('')).not.toMatch(ofTheUpstream);
  },
);

test('a call whose first models fail is answered by a fallback, in order, and only an admin sees which model answered (spec 4.2)', async () => {
  const models = ['sim-fail-503', 'sim-reset', 'sim-fail-429', 'sim-tokens-4', 'sim-ok'];
  const team = await given.team({ models });
  const job = await given.job(team);

  const whole = expectOk(await as(gateway, team).call(job));
  const streamed = await as(gateway, team).stream(job);
  const ours = expectOk(await as(gateway, team).get(`/api/jobs/${job}/costs`));

  expect(JSON.parse(readEvents(streamed.text).at(-2)!).usage.completion_tokens).toBe(4);
  const { breakdown } = await costsOf(job);
  for (const call of breakdown) {
    expect(call).toMatchObject({ completion_tokens: 4, error: null, model_used: 'sim-tokens-4' });
    expect(call.attempts.map((attempt: { model: string }) => attempt.model)).toEqual(models.slice(0, 4));
  }
  expect(breakdown).toHaveLength(2);
  expect(JSON.stringify([whole, streamed.text, ours])).not.toMatch(ofTheUpstream);
});

test('a stream that fails after its first token ends with an error, without a request to another model (spec 4.2, spec 5.3)', async () => {
  const team = await given.team({ models: ['sim-stream-cut-3-every-20-as-cut', 'sim-ok'] });
  const job = await given.job(team);

  const events = readEvents((await as(gateway, team).stream(job)).text);

  const chunks = events.slice(0, -2).map((event) => JSON.parse(event));
  expect(chunks.map(({ choices }) => choices[0].delta.content).join('')).not.toBe('');
  expect(JSON.parse(events.at(-2)!)).toMatchObject({ error: { message: expect.stringContaining('broke off') } });
  expect((await costsOf(job)).breakdown).toMatchObject([{ error: expect.any(String), attempts: [{}] }]);
});

test.each(['sim-no-usage-no-cost', 'sim-wrong-usage-no-cost'])(
  'a call of %s succeeds with zero tokens and cost (spec 4.18, spec 6.8)',
  async (model) => {
    const team = await given.team({ models: [model] });
    const job = await given.job(team);

    const answer = expectOk(await as(gateway, team).call(job));
    const events = readEvents((await as(gateway, team).stream(job)).text);
    const outcome = expectOk(await as(gateway, team).complete(job));

    expect(answer.metadata.tokens_used).toBe(0);
    expect(JSON.parse(events.at(-2)!).usage).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
    expect(outcome.costs).toMatchObject({ failed_calls: 0, total_tokens: 0, total_cost_usd: 0, credit_applied: true });
  },
);

test('answers with NUL, half a surrogate pair and characters of every length arrive', async () => {
  for (const [model, part] of [
    ['sim-null-bytes', 'before\0after'],
    ['sim-lone-surrogate', 'before\ufffdafter'],
    ['sim-unicode', '👩‍👩‍👧‍👦'],
  ] as const) {
    const team = await given.team({ models: [model] });

    const answer = expectOk(await as(gateway, team).call(await given.job(team)));

    expect(answer.response.content).toContain(part);
  }
});
