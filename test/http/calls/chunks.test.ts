import { nextChunk } from '../../../src/http/api/calls/chunks.ts';

test('the data of an event are one line, also for clients that treat further characters as line ends', () => {
  const content = 'one\u0085two\u2028three\u2029four\vfive\fsix\x1cseven\r\neight';

  const data = nextChunk({ callId: 'call', model: 'smart', created: 0 }, { content });

  expect(data).not.toMatch(/[\n\v\f\r\x1c-\x1e\u0085\u2028\u2029]/);
  expect(JSON.parse(data).choices[0].delta).toEqual({ content });
});
