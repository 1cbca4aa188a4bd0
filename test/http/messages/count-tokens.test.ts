import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { messagesWith } from './messages.ts';

const gateway = gatewayForTests();
const given = givenIn(gateway);

const user = (content: string) => ({ max_tokens: undefined, messages: [{ role: 'user', content }] });

test('tokens are counted without a job and apart from the limits of calls, 26 at once (spec 28.13)', async () => {
  const team = await given.team({ rpm_limit: 10, credits: 0 });
  const count = messagesWith(gateway, team, '/v1/messages/count_tokens?beta=true');

  const answers = await Promise.all(Array.from({ length: 26 }, () => count(user('x'.repeat(4_000)))));

  for (const answer of answers) {
    expect(Object.keys(expectOk(answer))).toEqual(['input_tokens']);
    expect(answer.body.input_tokens).toBeGreaterThan(990);
    expect(answer.body.input_tokens).toBeLessThan(1_050);
    expect(answer.headers.get('x-token-count')).toBe('estimated');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('600');
    expect(answer.headers.get('request-id')).not.toBeNull();
  }
  expect(expectOk(await as(gateway, team).get('/api/jobs')).jobs).toEqual([]);
});

test('tokens of a model that the team may not call, or of a body that is none, are not counted (spec 28.13)', async () => {
  const team = await given.team();
  const count = messagesWith(gateway, team, '/v1/messages/count_tokens');

  expect((await count({ ...user('a'), model: 'unknown' })).body.error).toMatchObject({ type: 'not_found_error' });
  expect((await count({ messages: [] })).body.error).toMatchObject({ type: 'invalid_request_error' });
});

test('the estimate learns from 20 calls of a model of whatever form, and not from fewer (spec 28.14)', async () => {
  const team = await given.team({ models: [`sim-prompt-tokens-900-as-${unique('learn')}`], credits: 50 });
  const text = 'Ein Fluß fließt. '.repeat(50);
  const count = async (content: string) =>
    expectOk(await messagesWith(gateway, team, '/v1/messages/count_tokens')(user(content))).input_tokens;
  const chat = { model: team.modelGroup, messages: [{ role: 'user', content: text }] };
  const before = await count(text);
  for (let made = 0; made < 19; made += 1) expectOk(await as(gateway, team).post('/v1/chat/completions', chat));
  expect(await count(text)).toBe(before);

  expectOk(await messagesWith(gateway, team)({ messages: chat.messages }));

  const learned = await until(
    () => count(text),
    (tokens) => tokens !== before,
  );
  expect(before).toBeLessThan(300);
  expect(learned).toBeGreaterThan(850);
  expect(learned).toBeLessThan(950);
  expect(await count(text.repeat(3))).toBeGreaterThan(2_400);
});
