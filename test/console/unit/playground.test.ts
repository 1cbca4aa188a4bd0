import { suggestModel } from '../../../console/src/pages/first-run/suggest-model.ts';
import { emptyDraft, toBody, toDraft } from '../../../console/src/pages/playground/draft.ts';

test('a draft becomes a request without the messages that nobody has written', () => {
  const draft = {
    ...emptyDraft,
    model: ' chat ',
    messages: [...emptyDraft.messages, { id: 2, role: 'user' as const, text: 'Hi' }],
  };

  expect(toBody(draft)).toEqual({
    model: 'chat',
    messages: [{ role: 'user', content: 'Hi' }],
    temperature: 0.7,
    max_tokens: 1_024,
    top_p: undefined,
  });
});

test('a call becomes a draft, with the names of what the form has not', () => {
  const request = {
    messages: [
      { role: 'developer', content: 'Be short.' },
      { role: 'user', content: [{ type: 'text', text: 'What is it?' }, { type: 'image_url' }] },
      { role: 'tool', content: '7' },
    ],
    max_completion_tokens: 50,
    tools: [],
  };

  const opened = toDraft({ request, requested_model: 'chat' });

  expect(opened?.draft).toEqual({
    model: 'chat',
    messages: [
      { id: 0, role: 'system', text: 'Be short.' },
      { id: 1, role: 'user', text: 'What is it?\n' },
    ],
    temperature: '',
    maxTokens: '50',
    topP: '',
  });
  expect(opened?.leftOut).toEqual(['tools', 'parts that are no text', 'messages of the role tool']);
});

test('a call whose request is cut or not kept becomes no draft', () => {
  expect(toDraft({ request: '{"messages":[', requested_model: 'chat' })).toBeUndefined();
  expect(toDraft({ request: { not_kept: { bytes: 9, sha256: 'a' } }, requested_model: 'chat' })).toBeUndefined();
});

const model = (name: string, price: number | null = null) => ({
  model: name,
  input_price_per_million: price,
  output_price_per_million: price,
});

test('the first call begins with a model that chats, and better with one whose price is known', () => {
  const names = ['bge-embed', 'openai/*', 'a-chat'].map((name) => model(name));

  expect(suggestModel([...names, model('b-chat', 1)])).toBe('b-chat');
  expect(suggestModel(names)).toBe('a-chat');
  expect(suggestModel([model('openai/*')])).toBe('');
});
