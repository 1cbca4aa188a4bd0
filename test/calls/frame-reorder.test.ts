import fc from 'fast-check';
import { FrameReorder, type StreamOutput } from '../../src/calls/frame-reorder.ts';
import type { Frame } from '../../src/domain/call-event.ts';
import type { CallResult } from '../../src/domain/call-result.ts';
import type { Delta } from '../../src/domain/chat-message.ts';
import { SplitTexts } from '../../src/http/stream/split-texts.ts';

const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
const end: CallResult = { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 5 };

const framesOf = (texts: string[], attempt = 1): Frame[] => [
  ...texts.map((content, seq) => ({ callId: 'c', attempt, seq, type: 'delta' as const, delta: { content } })),
  { callId: 'c', attempt, seq: texts.length, type: 'end', end },
];

const textOf = (outputs: StreamOutput[]): string =>
  outputs.map((output) => (output.type === 'delta' ? (output.delta.content ?? '') : '')).join('');

test('frames that arrive shuffled and duplicated are output once and in order', () => {
  const shuffled = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 }).chain((texts) => {
    const frames = framesOf(texts);
    return fc.tuple(fc.constant(texts), fc.shuffledSubarray([...frames, ...frames], { minLength: frames.length * 2 }));
  });
  fc.assert(
    fc.property(shuffled, ([texts, frames]) => {
      const state = new FrameReorder();
      const outputs = frames.flatMap((frame) => state.accept(frame));
      expect(textOf(outputs)).toBe(texts.join(''));
      expect(outputs.filter((output) => output.type === 'end')).toHaveLength(1);
      expect(outputs.at(-1)).toEqual({ type: 'end', end });
    }),
  );
});

test('a duplicated frame leaves no gap', () => {
  const state = new FrameReorder();
  const [first] = framesOf(['one', 'two']);
  state.accept(first!);
  state.accept(first!);

  expect(state.hasGap).toBe(false);
});

test('a stream with lost frames has their text from the record, and no text twice (spec 5.3)', () => {
  const lossy = fc
    .array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 })
    .chain((texts) => fc.tuple(fc.constant(texts), fc.subarray(framesOf(texts))));
  fc.assert(
    fc.property(lossy, ([texts, frames]) => {
      const state = new FrameReorder();
      const outputs = frames.flatMap((frame) => state.accept(frame));
      outputs.push(...state.finish({ ...end, message: { content: texts.join('') } }));
      expect(textOf(outputs)).toBe(texts.join(''));
      expect(outputs.filter((output) => output.type === 'end')).toHaveLength(1);
    }),
  );
});

test('a stream with half surrogate pairs has the rest of its text from the record, which has none', () => {
  const text = fc
    .array(fc.constantFrom('a', '\ud83d', '\ude00'), { minLength: 1, maxLength: 4 })
    .map((all) => all.join(''));
  const lossy = fc
    .array(text, { minLength: 1, maxLength: 10 })
    .chain((texts) => fc.tuple(fc.constant(texts), fc.nat({ max: texts.length })));
  fc.assert(
    fc.property(lossy, ([texts, received]) => {
      const recorded = texts.join('').toWellFormed();
      const [state, split] = [new FrameReorder(), new SplitTexts()];
      const outputs = framesOf(texts)
        .slice(0, received)
        .flatMap((frame) => state.accept(frame));
      outputs.push(...state.finish({ ...end, message: { content: recorded } }));
      const shown = outputs.map((output) => (output.type === 'delta' ? split.wellFormed(output.delta).content : ''));
      expect(shown.join('') + (split.rest()?.content ?? '')).toBe(recorded);
      expect(outputs.at(-1)).toMatchObject({ type: 'end' });
    }),
  );
});

test('a stream whose second attempt begins before a token was output has the text of the second attempt alone', () => {
  const state = new FrameReorder();
  const stale = framesOf(['o', 'ld'], 1);
  const [first, ...later] = framesOf(['n', 'ew'], 2);
  const outputs = [first!, ...stale, ...later].flatMap((frame) => state.accept(frame));

  expect(textOf(outputs)).toBe('new');
});

test('a stream whose second attempt begins after a token has only the end of the second attempt (spec 4.7)', () => {
  const failed: CallResult = { status: 'failed', error: 'interrupted' };
  const state = new FrameReorder();
  const shown = state.accept(framesOf(['shown'], 1)[0]!);
  const again = state.accept(framesOf(['again'], 2)[0]!);
  const ended = state.accept({ callId: 'c', attempt: 2, seq: 0, type: 'end', end: failed });

  expect(textOf([...shown, ...again, ...ended])).toBe('shown');
  expect(ended).toEqual([{ type: 'end', end: failed }]);
});

test('a stream whose output is not the beginning of the record is broken', () => {
  const state = new FrameReorder();
  state.accept(framesOf(['one'], 1)[0]!);

  expect(state.finish({ ...end, message: { content: 'another' } })).toEqual([{ type: 'broken' }]);
});

test('a stream of a failed call has the rest of the recorded text before its error, if the record continues the output', () => {
  const failed: CallResult = { status: 'failed', error: 'cut off', message: { content: 'one two' } };
  const finishAfter = (texts: string[]) => {
    const state = new FrameReorder();
    for (const frame of framesOf(texts).slice(0, -1)) state.accept(frame);
    return state.finish(failed);
  };
  const over: StreamOutput = { type: 'end', end: failed };

  expect(finishAfter([])).toEqual([{ type: 'delta', delta: { content: 'one two' } }, over]);
  expect(finishAfter(['one'])).toEqual([{ type: 'delta', delta: { content: ' two' } }, over]);
  expect(finishAfter(['one', ' two'])).toEqual([over]);
  expect(finishAfter(['another'])).toEqual([over]);
});

test('a stream with a partial tool call has its rest from the record', () => {
  const pieces: Delta[] = [
    { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"ci' } }] },
    { tool_calls: [{ index: 0, function: { arguments: 'ty":1}' } }] },
  ];
  const whole = { id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{"city":1}' } };
  const state = new FrameReorder();
  state.accept({ callId: 'c', attempt: 1, seq: 0, type: 'delta', delta: pieces[0]! });

  const rest = state.finish({ ...end, message: { content: '', toolCalls: [whole] } });

  expect(rest[0]).toEqual({ type: 'delta', delta: pieces[1] });
});

test('frames far ahead of the stream are buffered up to 5,000, and the stream continues in order', () => {
  const state = new FrameReorder();
  const far = (seq: number): Frame => ({ callId: 'c', attempt: 1, seq, type: 'delta', delta: { content: 'far' } });
  const held = () => (Reflect.get(state, 'early') as Map<number, Frame>).size;

  for (let seq = 1_000_000; seq < 1_010_000; seq += 1) state.accept(far(seq));

  expect(held()).toBe(5_000);
  expect(textOf(framesOf(['a', 'b', 'c']).flatMap((frame) => state.accept(frame)))).toBe('abc');
});

test('a stream sends from the record what was not sent of reasoning, refusal, sources and tool calls', () => {
  const state = new FrameReorder();
  const source = { type: 'url_citation' as const, url_citation: { url: 'https://rivers.example/po' } };
  state.accept({ callId: 'c', attempt: 1, seq: 0, type: 'delta', delta: { reasoning_content: 'Let me' } });
  const call = {
    id: 'a',
    type: 'function' as const,
    function: { name: 'f', arguments: '{}' },
  };
  const message = {
    content: 'Yes',
    reasoning_content: 'Let me think',
    refusal: 'No',
    annotations: [source],
    toolCalls: [call],
  };

  const outputs = state.finish({ ...end, message });

  expect(outputs.flatMap((output) => (output.type === 'delta' ? output.delta : []))).toEqual([
    { reasoning_content: ' think' },
    { content: 'Yes' },
    { refusal: 'No' },
    { tool_calls: [{ index: 0, ...call }] },
    { annotations: [source] },
  ]);
});
