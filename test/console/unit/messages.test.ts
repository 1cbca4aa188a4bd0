import { finishText } from '../../../console/src/pages/jobs/receipt/item/finish-reasons.ts';
import { toMessages } from '../../../console/src/pages/jobs/receipt/item/messages.ts';

const request = { messages: [{ role: 'user', content: 'Weather?' }] };
const asked = { role: 'user', text: 'Weather?' };

test('the conversation of a call has the text, the refusal and the tool calls of its recorded answer', () => {
  const called = { function: { name: 'get_weather', arguments: '{"city":"Bern"}' } };
  const response = { content: 'A moment.', refusal: 'No map.', tool_calls: [called, called] };

  expect(toMessages({ request, response })).toEqual([
    asked,
    { role: 'assistant', text: 'A moment.\nNo map.\nget_weather({"city":"Bern"})\nget_weather({"city":"Bern"})' },
  ]);
});

test('the conversation of a call without a recorded answer has what was sent', () => {
  expect(toMessages({ request, response: null })).toEqual([asked]);
});

test('the reason why a call was stopped is a sentence, and that of a model stays its word', () => {
  expect(finishText('stopped')).toBe('stopped on request: the answer is what was written by then');
  expect(finishText('length')).toBe('length');
  expect(finishText(null)).toBeNull();
});
