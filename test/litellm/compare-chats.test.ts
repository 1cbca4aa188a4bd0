import { type Simulator, startSimulator } from '../../tools/simulator/simulator.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { litellmForTests } from './litellm.ts';

/**
 * The same question to LiteLLM, with the simulator as its provider, and to the simulator alone: what a client sees has
 * to be the same. `sim-…` names are the simulator's grammar, so both know how to behave.
 */
const answers = [
  'sim-ok',
  'sim-tokens-7',
  'sim-length',
  'sim-content-filter',
  'sim-null-content',
  'sim-empty',
  'sim-json',
];
const texts = ['sim-unicode', 'sim-null-bytes', 'sim-echo'];
const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529];
const failures = statuses.map((status) => `sim-fail-${status}`);
const models = [...answers, ...texts, ...failures, 'sim-tools', 'sim-error-in-stream-2-every-100'];

const litellm = litellmForTests(models);
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ masterKey: litellm.current.masterKey });
});
afterAll(() => simulator.close());

const messages = [{ role: 'user', content: 'Tell me about rivers' }];
const chatWith = (url: string, body: unknown, key?: string) =>
  sendRequest(url, 'post', '/v1/chat/completions', { key, body });

async function both(model: string, rest: Record<string, unknown> = {}): Promise<{ theirs: Answer; ours: Answer }> {
  const { url, masterKey } = litellm.current;
  const body = { model, messages, ...rest };
  const [theirs, ours] = await Promise.all([chatWith(url, body, masterKey), chatWith(simulator.url, body, masterKey)]);
  return { theirs, ours };
}

/** What differs from one answer to the next. */
const withoutStamp = (json: object) => ({ ...json, id: 'id', created: 0 });

/** The bare `Content-Type` aside: Express names the charset of JSON. */
const seen = ({ status, headers, body }: Answer) => ({
  status,
  type: headers.get('content-type')?.replace('json; charset=utf-8', 'json'),
  cost: headers.get('x-litellm-response-cost'),
  group: headers.get('x-litellm-model-group'),
  name: headers.get('x-litellm-model-name'),
  body: withoutStamp(body),
});

test.each([...answers, ...texts, 'sim-tools'])('an answer of %s', async (model) => {
  const { theirs, ours } = await both(model);

  expect(theirs.status).toBe(200);
  expect(seen(ours)).toEqual(seen(theirs));
});

/** The events of a stream; what is not JSON stays as it is. */
const events = ({ text }: Answer) =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''))
    .map((data) => (data.startsWith('{') ? withoutStamp(JSON.parse(data)) : data));

const streamHeaders = ({ headers }: Answer) =>
  ['content-type', 'cache-control', 'x-accel-buffering', 'x-litellm-response-cost', 'x-litellm-model-group'].map(
    (name) => headers.get(name),
  );

const streamed = { stream: true, stream_options: { include_usage: true } };

test.each([...answers, ...texts, 'sim-tools'])('a stream of %s, with its usage and its cost', async (model) => {
  const { theirs, ours } = await both(model, streamed);

  expect(theirs.status).toBe(200);
  expect(events(theirs).at(-1)).toBe('[DONE]');
  expect(events(ours)).toEqual(events(theirs));
  expect(streamHeaders(ours)).toEqual(streamHeaders(theirs));
});

test('a stream whose usage nobody asked for', async () => {
  const { theirs, ours } = await both('sim-tokens-7', { stream: true });

  expect(events(ours)).toEqual(events(theirs));
});

const weather = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
};

test.each([
  ['max_tokens', { max_tokens: 2 }],
  ['stop', { stop: ['river'] }],
  ['a tool that is demanded', { tools: [weather], tool_choice: 'required' }],
  ['a tool that is offered', { tools: [weather], tool_choice: 'auto' }],
  ['a response format', { response_format: { type: 'json_object' } }],
])('%s has the same effect', async (_, rest) => {
  const { theirs, ours } = await both('sim-echo', rest);

  expect(theirs.status).toBe(200);
  expect(seen(ours).body).toEqual(seen(theirs).body);
});

/** The error of an answer or an event, its message apart. */
function errorOf(json: unknown) {
  const { message, ...error } = (json as { error: { message: string } }).error;
  return { message, error };
}

/** What LiteLLM's message begins with depends on its provider's error type too: compared are the provider's words, and what follows. */
const wordsOf = (message: string): string => /The simulated provider failed with \d+\./.exec(message)?.[0] ?? 'none';
const noteOf = (message: string): string => message.split('\n\n').at(-1) ?? '';

test.each(failures)('an error of the provider: %s', async (model) => {
  const { theirs, ours } = await both(model);

  const [their, our] = [errorOf(theirs.body), errorOf(ours.body)];
  expect([ours.status, our.error]).toEqual([theirs.status, their.error]);
  expect([wordsOf(our.message), noteOf(our.message)]).toEqual([wordsOf(their.message), noteOf(their.message)]);
});

test('an error inside a stream ends it without [DONE]', async () => {
  const { theirs, ours } = await both('sim-error-in-stream-2-every-100', { stream: true });

  const [their, our] = [events(theirs), events(ours)];
  expect([our.length, our.slice(0, 2)]).toEqual([their.length, their.slice(0, 2)]);
  expect(errorOf(our[2]).error).toEqual(errorOf(their[2]).error);
});

test.each([
  ['a model that does not exist', { model: 'sim-unknown', messages }],
  ['no messages', { model: 'sim-ok' }],
])('%s is refused alike', async (_, body) => {
  const { url, masterKey } = litellm.current;

  const [theirs, ours] = await Promise.all([chatWith(url, body, masterKey), chatWith(simulator.url, body, masterKey)]);

  expect([ours.status, ours.body]).toEqual([theirs.status, theirs.body]);
});

test('no key is refused alike', async () => {
  const body = { model: 'sim-ok', messages };

  const [theirs, ours] = await Promise.all([chatWith(litellm.current.url, body), chatWith(simulator.url, body)]);

  expect([ours.status, ours.body]).toEqual([theirs.status, theirs.body]);
});

test('the simulator sends no header of LiteLLM that LiteLLM does not send', async () => {
  const { theirs, ours } = await both('sim-ok');

  const names = ({ headers }: Answer) => [...headers.keys()].filter((name) => name.startsWith('x-litellm'));
  expect(names(theirs)).toEqual(expect.arrayContaining(names(ours)));
});

test('/model/info tells prices where the gateway looks for them', async () => {
  const { url, masterKey } = litellm.current;

  const { data } = (await sendRequest(url, 'get', '/model/info', { key: masterKey })).body;

  expect(data).toContainEqual(
    expect.objectContaining({
      model_name: 'sim-ok',
      model_info: expect.objectContaining({ input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }),
    }),
  );
});
