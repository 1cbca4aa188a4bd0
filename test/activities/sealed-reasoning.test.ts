import { SealedReasoning } from '../../activities/call-upstream/sealed-reasoning.ts';
import { createSecrets } from '../../src/auth/secrets.ts';

const secrets = createSecrets('a'.repeat(32));
const reasoning = new SealedReasoning(secrets, 'team-a');
const seal = (model: string, text: string) => reasoning.seal(model, { text: { field: 'reasoning_content', text } })!;

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
const request = (...sealed: unknown[]) =>
  `{"messages":${JSON.stringify([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'Hm', tool_calls: [call], sealed_reasoning: sealed },
  ])},"temperature":0.70}`;
const messages = (text: string) => (JSON.parse(text) as { messages: unknown[] }).messages;
const without = [
  { role: 'user', content: 'Go' },
  { role: 'assistant', content: 'Hm', tool_calls: [call] },
];

test('the model that wrote a state receives all of it in its own fields, and other members of the request stay as they are (spec 31.2)', () => {
  const state = reasoning.seal('m', {
    text: { field: 'reasoning', text: 'I\u{1f600}' },
    thinking_blocks: [{ type: 'thinking', thinking: 'I', signature: 's' }],
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'd' }],
    tool_calls: { call_1: { google: { thought_signature: 't' } } },
  });

  const opened = reasoning.openFor('m', request(state));

  expect(opened).toContain('"temperature":0.70');
  expect(messages(opened)[1]).toEqual({
    role: 'assistant',
    content: 'Hm',
    tool_calls: [{ ...call, extra_content: { google: { thought_signature: 't' } } }],
    reasoning: 'I\u{1f600}',
    thinking_blocks: [{ type: 'thinking', thinking: 'I', signature: 's' }],
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'd' }],
  });
});

test('another model receives the message without the state (spec 31.2)', () => {
  expect(messages(reasoning.openFor('other', request(seal('m', 'I'))))).toEqual(without);
});

test('several states of one message are joined in their order (spec 31.2)', () => {
  const opened = messages(reasoning.openFor('m', request(seal('m', 'I '), seal('other', 'x'), seal('m', 'think'))));

  expect(opened[1]).toMatchObject({ reasoning_content: 'I think' });
});

const altered = (text: string) => text.slice(0, 40) + (text[40] === 'A' ? 'B' : 'A') + text.slice(41);

test.each<[string, unknown]>([
  ['altered', altered(seal('m', 'I'))],
  ['cut', seal('m', 'I').slice(0, 30)],
  ["another team's", new SealedReasoning(secrets, 'team-b').seal('m', { thinking_blocks: [{ a: 1 }] })],
  ['of another installation', new SealedReasoning(createSecrets('b'.repeat(32)), 'team-a').seal('m', {})],
  ['a signature of a provider', 'EqoBCkgIAhABGAIiQL2UoU0b'],
  ['no text', 7],
  ['null', null],
])('a state that is %s is left out, and the request goes on (spec 31.2)', (_, sealed) => {
  expect(messages(reasoning.openFor('m', request(sealed)))).toEqual(without);
  expect(reasoning.newestModel(request(sealed))).toBeUndefined();
});

test('a state that was sealed with the previous MASTER_KEY opens while that one is set (spec 31.2)', () => {
  const exchanged = new SealedReasoning(createSecrets('c'.repeat(32), 'a'.repeat(32)), 'team-a');

  expect(messages(exchanged.openFor('m', request(seal('m', 'I'))))[1]).toMatchObject({ reasoning_content: 'I' });
});

test('the newest state decides which model is asked first (spec 31.3)', () => {
  expect(reasoning.newestModel(request(seal('a', 'I'), seal('b', 'I')))).toBe('b');
  expect(reasoning.newestModel('{"messages":[]}')).toBeUndefined();
});
