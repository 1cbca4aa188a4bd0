import { PendingDeltas } from '../../activities/call-upstream/pending-deltas.ts';
import { append, type Delta, type Message } from '../../src/domain/chat-message.ts';

const annotation = { type: 'url_citation', url_citation: { url: 'https://rivers.example' } } as const;

function taken(pending: PendingDeltas): Delta[] {
  const all: Delta[] = [];
  for (let delta = pending.take(); delta; delta = pending.take()) all.push(delta);
  return all;
}

test('deltas that wait are joined in order, and one that is too long for a frame is cut in each of its parts', () => {
  const pending = new PendingDeltas();
  const long = '😀'.repeat(50_000);
  const deltas: Delta[] = [
    { content: 'a' },
    { content: 'b', annotations: [annotation] },
    { content: long, tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: long } }] },
    { annotations: [annotation] },
  ];
  for (const delta of deltas) pending.add(delta);

  const frames = taken(pending);

  const whole: Message = { content: '' };
  for (const frame of frames) append(whole, frame);
  expect(whole).toEqual({
    content: `ab${long}`,
    annotations: [annotation, annotation],
    toolCalls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: long } }],
  });
  expect(frames.slice(0, 2)).toEqual([{ content: 'ab' }, { annotations: [annotation] }]);
  for (const frame of frames) expect(JSON.stringify(frame).length).toBeLessThan(66_000);
});

test('a delta that waits is not changed by those that are joined to it', () => {
  const pending = new PendingDeltas();
  const first: Delta = { annotations: [annotation], tool_calls: [{ index: 0, function: { arguments: '{' } }] };
  const before = structuredClone(first);

  pending.add(first);
  pending.add(first);

  expect(taken(pending).map((delta) => Object.keys(delta))).toEqual([
    ['tool_calls'],
    ['annotations'],
    ['tool_calls'],
    ['annotations'],
  ]);
  expect(first).toEqual(before);
});

test('each delta that waits has one kind of content, in the order in which the kinds came (spec 17.20)', () => {
  const pending = new PendingDeltas();
  const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] };
  const deltas: Delta[] = [
    { reasoning_content: 'a' },
    { reasoning_content: 'b', content: 'c' },
    { reasoning_content: 'd' },
    call,
    { content: 'e' },
    { content: 'f', refusal: 'g' },
  ];

  for (const delta of deltas) pending.add(delta);

  expect(taken(pending)).toEqual([
    { reasoning_content: 'ab' },
    { content: 'c' },
    { reasoning_content: 'd' },
    call,
    { content: 'ef' },
    { refusal: 'g' },
  ]);
});
