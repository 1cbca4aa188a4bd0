import { readModelName } from '../../tools/simulator/behaviour/read-model-name.ts';

const forever = Number.POSITIVE_INFINITY;

test.each([
  ['gpt-4o', {}],
  ['sim-ok', {}],
  ['openai/sim-length', { finishReason: 'length' }],
  ['sim-slow-250-tokens-40-every-5', { latencyMs: 250, completionTokens: 40, everyMs: 5 }],
  ['sim-fail-429-retry-after-7', { fault: { kind: 'status', status: 429, retryAfterSeconds: 7 } }],
  ['sim-stream-cut-3', { fault: { kind: 'cut', after: 3 } }],
  ['sim-error-in-stream', { fault: { kind: 'error-in-stream', after: 2 } }],
  ['sim-no-finish-no-usage-no-done', { finishReason: null, usage: 'none', done: false }],
  ['sim-cost-1500', { costUsd: 0.0015 }],
  ['sim-choices-16000', { many: { what: 'choices', count: 16_000 } }],
  ['sim-tool-calls-200-ok', { many: { what: 'tool-calls', count: 200 } }],
  ['sim-ok-reports-gpt-9', { reports: 'gpt-9' }],
  ['sim-hang-as-anything-goes-here', { fault: { kind: 'hang' } }],
])('the model name %s describes its behaviour', (name, behaviour) => {
  expect(readModelName(name)).toEqual([{ times: forever, behaviour }]);
});

test('a model name can have phases, and ordinary answers follow the last limited phase', () => {
  expect(readModelName('sim-fail-503-first-2-then-hang-then-length-once')).toEqual([
    { times: 2, behaviour: { fault: { kind: 'status', status: 503 } } },
    { times: 1, behaviour: { fault: { kind: 'hang' } } },
    { times: 1, behaviour: { finishReason: 'length' } },
    { times: forever, behaviour: {} },
  ]);
});

test.each(['sim-unknown', 'sim-fail-200', 'sim-', 'sim-ok-', 'sim-tokens-many'])(
  'the model name %s is invalid',
  (name) => {
    expect(readModelName(name)).toBeUndefined();
  },
);
