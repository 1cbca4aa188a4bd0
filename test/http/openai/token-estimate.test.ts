import { countMedia } from '../../../src/domain/count-media.ts';
import { tokensOfRequest } from '../../../src/domain/token-estimate.ts';

const long = 'A'.repeat(400_000);
const tokensOf = (...messages: Record<string, unknown>[]) =>
  tokensOfRequest(Buffer.byteLength(JSON.stringify({ messages })), countMedia(messages));
const part = (value: object) => ({ role: 'user', content: [value] });

test.each([
  ['an image', { type: 'image_url', image_url: { url: `data:image/png;base64,${long}` } }],
  ['an image as a text', { type: 'image_url', image_url: `data:image/jpeg;charset=utf-8;base64,${long}` }],
  ['an image at an address', { type: 'image_url', image_url: { url: 'https://images.example/1.png' } }],
  ['a video', { type: 'video_url', video_url: { url: `data:video/mp4;base64,${long}` } }],
  ['a sound', { type: 'input_audio', input_audio: { data: long, format: 'wav' } }],
])('%s counts about a thousand tokens, whatever its size (spec 17.15)', (_, value) => {
  expect(tokensOf(part(value))).toBeGreaterThanOrEqual(1_000);
  expect(tokensOf(part(value))).toBeLessThan(1_050);
});

test.each([
  ['a data URL in a text', { role: 'user', content: `data:image/png;base64,${long}` }],
  ['a data URL in a part of text', part({ type: 'text', text: `data:image/png;base64,${long}` })],
  ['a file', part({ type: 'file', file: { file_data: `data:application/pdf;base64,${long}` } })],
  ['a document as an image', part({ type: 'image_url', image_url: { url: `data:text/plain;base64,${long}` } })],
  ['an image that is text', part({ type: 'image_url', image_url: { url: `data:image/svg+xml,${long}` } })],
  ['an unknown key of a part', part({ type: 'image_url', image_url: { url: 'data:,' }, caption: long })],
  ['an unknown key of an address', part({ type: 'image_url', image_url: { url: 'data:,', alt: long } })],
  ['reasoning', { role: 'assistant', content: '', reasoning_content: long }],
  ['an unknown key of a message', { role: 'user', content: '', note: long }],
  ['a name', { role: 'user', content: '', name: long }],
  ['an unknown key of a tool call', { role: 'assistant', tool_calls: [{ id: long }] }],
])('%s counts by its size (spec 17.15)', (_, message) => {
  expect(tokensOf(message)).toBeGreaterThanOrEqual(100_000);
});

test('a text of three bytes a character counts by its bytes', () => {
  expect(tokensOf({ role: 'user', content: '水'.repeat(400) })).toBeGreaterThan(300);
});
