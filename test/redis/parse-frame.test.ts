import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Frame } from '../../src/domain/call-event.ts';
import type { CallResult } from '../../src/domain/call-result.ts';
import { parseFrame } from '../../src/redis/parse-frame.ts';
import { junkAbout } from './junk.ts';

const callId = randomUUID();
const at = { callId, attempt: 20, seq: 0 };
const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
const toolCalls = [{ id: '', type: 'function' as const, function: { name: 'find', arguments: '{"a":1}' } }];
const message = { content: 'Yes', toolCalls };
const job = {
  status: 'completed' as const,
  completed_at: new Date().toISOString(),
  credit_applied: true,
  credits_remaining: -2,
  total_calls: 1,
  failed_calls: 0,
  total_tokens: 3,
  total_cost_usd: '0.000012',
  total_latency_ms: 12,
  accepted: ['a-command'],
  made: { 'a-command': { metadata: { any: [null, { thing: 1 }] }, updated_at: 1 } },
};

const ends: CallResult[] = [
  { status: 'succeeded', finishReason: 'stop', usage, uncounted: 4, latencyMs: 1, message, job },
  { status: 'succeeded', finishReason: '', usage, latencyMs: 0 },
  { status: 'failed', error: 'broken', usage, uncounted: 0, message, job },
  { status: 'failed', error: '' },
  { status: 'refused', error: 'cancelled' },
  { status: 'retracted' },
];

const frames: Frame[] = [
  { ...at, type: 'delta', delta: { content: 'x' } },
  { ...at, type: 'delta', delta: {} },
  {
    ...at,
    seq: 9_999,
    type: 'delta',
    delta: {
      content: '',
      tool_calls: [
        { index: 0, id: 'a', type: 'function', function: { name: 'find', arguments: '' } },
        { index: 127, function: { arguments: '{' } },
        { index: 1 },
      ],
    },
  },
  ...ends.map((end) => ({ ...at, type: 'end' as const, end })),
];

test.each(frames.map((frame) => [frame.type, frame]))('a frame of type %s is parsed as it was written', (_, frame) => {
  expect(parseFrame(callId, JSON.stringify(frame))).toEqual(frame);
});

test('reasoning, refusals, sources and function calls of a frame are parsed as they were written', () => {
  const source = { type: 'url_citation', url_citation: { url: 'https://rivers.example/po', start_index: 0 } };
  const called = { index: 0, function: { name: 'f', arguments: '' }, isFunctionCall: true };
  const delta = { reasoning_content: 'a', content: 'b', refusal: 'c', tool_calls: [called], annotations: [source] };
  const message = {
    content: '',
    reasoning_content: 'a',
    refusal: 'c',
    annotations: [source],
    toolCalls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '' }, isFunctionCall: true }],
  };
  const counted = { ...usage, cachedTokens: 1, reasoningTokens: 2 };
  const frames = [
    { ...at, type: 'delta', delta },
    { ...at, type: 'end', end: { status: 'succeeded', finishReason: 'stop', usage: counted, latencyMs: 1, message } },
    { ...at, type: 'end', end: { status: 'failed', error: 'x', failure: 'context_length' } },
  ];

  for (const frame of frames) expect(parseFrame(callId, JSON.stringify(frame))).toEqual(frame);
});

test.each([
  ['reasoning that is a number', { reasoning_content: 7 }],
  ['a refusal that is an object', { refusal: {} }],
  ['a source of another type', { annotations: [{ type: 'file_citation' }] }],
  ['sources that are a text', { annotations: 'x' }],
])('a frame with %s is dropped', (_, delta) => {
  expect(parseFrame(callId, JSON.stringify({ ...at, type: 'delta', delta }))).toBeUndefined();
});

test('the event of a started call is parsed as it was written', () => {
  expect(parseFrame(callId, JSON.stringify({ callId, type: 'started' }))).toEqual({ callId, type: 'started' });
});

test.each(junkAbout(callId).map((text) => [text.slice(0, 150), text]))(
  'a message that is no frame is dropped: %j',
  (_, text) => {
    expect(parseFrame(callId, text)).toBeUndefined();
  },
);

test('unknown fields of a frame are removed, at every depth', () => {
  const more = { more: 1, ['__proto__']: { more: 1 } };
  const delta = { content: 'x', ...more, tool_calls: [{ index: 0, ...more, function: { arguments: '', ...more } }] };
  const end = { status: 'succeeded', finishReason: 'stop', usage: { ...usage, ...more }, latencyMs: 1, ...more };

  const parsed = [
    { ...at, type: 'delta', delta, ...more },
    { ...at, type: 'end', end, ...more },
  ].map((frame) => parseFrame(callId, JSON.stringify(frame)));

  expect(JSON.stringify(parsed)).not.toContain('more');
});

test('with any JSON in the place of any field, the result is a valid frame of the call, or undefined', () => {
  const places = ['attempt', 'seq', 'type', 'delta', 'end'] as const;
  const whole = { ...at, type: 'delta', delta: { content: 'x' }, end: ends[0] };
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.constantFrom('delta', 'end'), fc.jsonValue(), (place, type, value) => {
      const frame = parseFrame(callId, JSON.stringify({ ...whole, type, [place]: value }));
      if (!frame || frame.type === 'started') return;
      expect(frame.callId).toBe(callId);
      expect(frame.attempt * frame.seq).toBeGreaterThanOrEqual(0);
      if (frame.type === 'delta') expect(typeof (frame.delta.content ?? '')).toBe('string');
      else expect(ends.map(({ status }) => status)).toContain(frame.end.status);
    }),
    { numRuns: 2_000 },
  );
});
