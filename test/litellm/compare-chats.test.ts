import { type Simulator, startSimulator } from '../../tools/simulator/simulator.ts';
import { type Answer, sendRequest } from '../support/send-request.ts';
import { litellmForTests } from './litellm.ts';

/**
 * The same request to LiteLLM, with the simulator as its provider, and to the simulator alone must have the same answer. Model names
 * that begin with `sim-` select the behaviour of the simulator in both cases.
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

/** Replaces the fields that differ between any two answers. */
const withoutStamp = (json: object) => ({ ...json, id: 'id', created: 0 });

/** The compared parts. Express adds the charset to the content type of JSON. */
const comparable = ({ status, headers, body }: Answer) => ({
  status,
  type: headers.get('content-type')?.replace('json; charset=utf-8', 'json'),
  cost: headers.get('x-litellm-response-cost'),
  group: headers.get('x-litellm-model-group'),
  name: headers.get('x-litellm-model-name'),
  body: withoutStamp(body),
});

test.each([...answers, ...texts, 'sim-tools'])('the simulator and LiteLLM have equal answers of %s', async (model) => {
  const { theirs, ours } = await both(model);

  expect(theirs.status).toBe(200);
  expect(comparable(ours)).toEqual(comparable(theirs));
});

/** The events of a stream. Those that are not JSON are unchanged. */
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

test.each([...answers, ...texts, 'sim-tools'])(
  'the simulator and LiteLLM have equal streams of %s, with usage and cost',
  async (model) => {
    const { theirs, ours } = await both(model, streamed);

    expect(theirs.status).toBe(200);
    expect(events(theirs).at(-1)).toBe('[DONE]');
    expect(events(ours)).toEqual(events(theirs));
    expect(streamHeaders(ours)).toEqual(streamHeaders(theirs));
  },
);

test('the simulator and LiteLLM have equal streams when no usage is requested', async () => {
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
  ['a required tool', { tools: [weather], tool_choice: 'required' }],
  ['an optional tool', { tools: [weather], tool_choice: 'auto' }],
  ['a response format', { response_format: { type: 'json_object' } }],
])('%s has the same effect in the simulator and in LiteLLM', async (_, rest) => {
  const { theirs, ours } = await both('sim-echo', rest);

  expect(theirs.status).toBe(200);
  expect(comparable(ours).body).toEqual(comparable(theirs).body);
});

/** The error of an answer or an event, and its message separately. */
function errorOf(json: unknown) {
  const { message, ...error } = (json as { error: { message: string } }).error;
  return { message, error };
}

/** The beginning of LiteLLM's message depends on the error type of its provider. Compared are the provider's message and the text after it. */
const providerMessageOf = (message: string): string =>
  /The simulated provider failed with \d+\./.exec(message)?.[0] ?? 'none';
const noteOf = (message: string): string => message.split('\n\n').at(-1) ?? '';

test.each(failures)('the simulator and LiteLLM have equal errors of %s', async (model) => {
  const { theirs, ours } = await both(model);

  const [their, our] = [errorOf(theirs.body), errorOf(ours.body)];
  expect([ours.status, our.error]).toEqual([theirs.status, their.error]);
  expect([providerMessageOf(our.message), noteOf(our.message)]).toEqual([
    providerMessageOf(their.message),
    noteOf(their.message),
  ]);
});

test('the simulator and LiteLLM have equal streams with an error, without [DONE]', async () => {
  const { theirs, ours } = await both('sim-error-in-stream-2-every-100', { stream: true });

  const [their, our] = [events(theirs), events(ours)];
  expect([our.length, our.slice(0, 2)]).toEqual([their.length, their.slice(0, 2)]);
  expect(errorOf(our[2]).error).toEqual(errorOf(their[2]).error);
});

test.each([
  ['an unknown model', { model: 'sim-unknown', messages }],
  ['no messages', { model: 'sim-ok' }],
])('a request with %s has the same error from the simulator and LiteLLM', async (_, body) => {
  const { url, masterKey } = litellm.current;

  const [theirs, ours] = await Promise.all([chatWith(url, body, masterKey), chatWith(simulator.url, body, masterKey)]);

  expect([ours.status, ours.body]).toEqual([theirs.status, theirs.body]);
});

test('a request without a key has the same error from the simulator and LiteLLM', async () => {
  const body = { model: 'sim-ok', messages };

  const [theirs, ours] = await Promise.all([chatWith(litellm.current.url, body), chatWith(simulator.url, body)]);

  expect([ours.status, ours.body]).toEqual([theirs.status, theirs.body]);
});

test('the LiteLLM headers of the simulator are among those of LiteLLM', async () => {
  const { theirs, ours } = await both('sim-ok');

  const names = ({ headers }: Answer) => [...headers.keys()].filter((name) => name.startsWith('x-litellm'));
  expect(names(theirs)).toEqual(expect.arrayContaining(names(ours)));
});

test('/model/info of LiteLLM has the prices in the fields that the gateway reads', async () => {
  const { url, masterKey } = litellm.current;

  const { data } = (await sendRequest(url, 'get', '/model/info', { key: masterKey })).body;

  expect(data).toContainEqual(
    expect.objectContaining({
      model_name: 'sim-ok',
      model_info: expect.objectContaining({ input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }),
    }),
  );
});
