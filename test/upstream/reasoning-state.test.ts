import type { Delta } from '../../src/domain/chat-message.ts';
import { Answer, emptyCompletion } from '../../src/upstream/answer/answer.ts';
import { readCompletion } from '../../src/upstream/answer/completion.ts';
import type { ReasoningState } from '../../src/upstream/answer/reasoning-state.ts';

/** What an upstream sends piece by piece, as the deltas of the answer and the states that were sealed. */
function read(pieces: readonly object[], form: 'delta' | 'message' = 'delta') {
  const states: ReasoningState[] = [];
  const result = emptyCompletion();
  const seal = (state: ReasoningState) => `sealed ${states.push(structuredClone(state)) - 1}`;
  const answer = new Answer(result, { parts: 'sealed', seal }, '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2');
  const deltas: Delta[] = [];
  for (const piece of pieces)
    deltas.push(...answer.addContent(readCompletion({ choices: [{ index: 0, [form]: piece }] })!));
  deltas.push(...answer.end());
  answer.close();
  return { states, deltas, message: result.message };
}

test('the blocks of a reasoning that comes in pieces are put together, and sealed before the text that follows (spec 31.1)', () => {
  const { states, deltas, message } = read([
    { reasoning_content: 'Fir', thinking_blocks: [{ type: 'thinking', thinking: 'Fir', signature: null }] },
    { reasoning_content: 'st', thinking_blocks: [{ type: 'thinking', thinking: 'st', signature: null }] },
    { reasoning_content: '', thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'sig' }] },
    { content: 'Hello' },
  ]);

  expect(states).toEqual([
    {
      text: { field: 'reasoning_content', text: 'First' },
      thinking_blocks: [{ type: 'thinking', thinking: 'First', signature: 'sig' }],
    },
  ]);
  expect(deltas).toEqual([
    { reasoning_content: 'Fir' },
    { reasoning_content: 'st' },
    { states: ['sealed 0'] },
    { content: 'Hello' },
  ]);
  expect(message).toMatchObject({
    content: 'Hello',
    states: ['sealed 0'],
    order: [
      ['reasoning_content', 5],
      ['states', 1],
      ['content', 5],
    ],
  });
});

test('reasoning that is interleaved with tool calls has a state for each stretch (spec 31.1)', () => {
  const tool = (index: number) => ({
    tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } }],
  });
  const { states, message } = read([{ reasoning: 'A' }, tool(0), { reasoning: 'B' }, tool(1)]);

  expect(states).toEqual(['A', 'B'].map((text) => ({ text: { field: 'reasoning', text } })));
  expect(message.order!.map(([kind]) => kind)).toEqual([
    'reasoning_content',
    'states',
    'tool:0',
    'reasoning_content',
    'states',
    'tool:1',
  ]);
});

test('a thought signature of a tool call is sealed before the call (spec 31.1)', () => {
  const extra_content = { google: { thought_signature: 'x' } };
  const { states, deltas } = read([
    { tool_calls: [{ index: 0, id: 'c', extra_content, function: { name: 'f', arguments: '{}' } }] },
  ]);

  expect(states).toEqual([{ tool_calls: { c: extra_content } }]);
  expect(deltas[0]).toEqual({ states: ['sealed 0'] });
});

test('details of OpenRouter are put together by their index, and hidden ones stay whole (spec 31.1)', () => {
  const { states } = read([
    { reasoning: 'A', reasoning_details: [{ type: 'reasoning.text', text: 'A', index: 0 }] },
    { reasoning: 'B', reasoning_details: [{ type: 'reasoning.text', text: 'B', index: 0, signature: 's' }] },
    { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 1 }] },
    { reasoning_details: [{ type: 'reasoning.encrypted', data: 'y', index: 1 }] },
    { content: 'Hello' },
  ]);

  expect(states[0]!.reasoning_details).toEqual([
    { type: 'reasoning.text', text: 'AB', index: 0, signature: 's' },
    { type: 'reasoning.encrypted', data: 'x', index: 1 },
    { type: 'reasoning.encrypted', data: 'y', index: 1 },
  ]);
});

test('an answer that ends with its reasoning has its state at the end, and a whole message before its text (spec 31.1)', () => {
  expect(read([{ reasoning_content: 'A' }]).deltas).toEqual([{ reasoning_content: 'A' }, { states: ['sealed 0'] }]);
  expect(read([{ reasoning_content: 'A', content: 'B' }], 'message').deltas).toEqual([
    { reasoning_content: 'A' },
    { states: ['sealed 0'] },
    { content: 'B' },
  ]);
});
