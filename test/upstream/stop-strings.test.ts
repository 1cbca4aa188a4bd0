import { Answer, emptyCompletion } from '../../src/upstream/answer/answer.ts';
import { readCompletion } from '../../src/upstream/answer/completion.ts';
import { callId } from './request-once.ts';

const read = (choice: object, stops: string[]) => {
  const result = emptyCompletion();
  const answer = new Answer(result, { parts: 'sealed', seal: () => undefined, stops }, callId);
  answer.addContent(readCompletion({ choices: [{ index: 0, delta: { content: 'a' } }] })!);
  answer.addContent(readCompletion({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', ...choice }] })!);
  answer.close();
  return result.message.stopSequence;
};

test.each<[string, object, string[], string | undefined]>([
  ['vLLM', { stop_reason: 'END' }, ['END'], 'END'],
  ['SGLang', { matched_stop: 'END' }, ['x', 'END'], 'END'],
  ['vLLM behind LiteLLM', { provider_specific_fields: { stop_reason: 'END', token_ids: null } }, ['END'], 'END'],
  ['a proxy of Anthropic', { stop_sequence: 'END', stop_reason: 'stop_sequence' }, ['END', 'x'], 'END'],
  ['TGI, of the only one', { finish_reason: 'stop_sequence' }, ['END'], 'END'],
  ['TGI, of several', { finish_reason: 'stop_sequence' }, ['END', 'x'], undefined],
  ['vLLM, a token', { stop_reason: 128_009 }, ['END'], undefined],
  ['SGLang, a text of the template', { matched_stop: '<|im_end|>' }, ['END'], undefined],
  ['a call without stop strings', { stop_reason: 'END' }, [], undefined],
  ['a field of another type', { stop_reason: { a: 1 }, provider_specific_fields: 7 }, ['END'], undefined],
])('the stop string is read as %s names it (spec 28.7)', (_, choice, stops, expected) => {
  expect(read(choice, stops)).toBe(expected);
});
