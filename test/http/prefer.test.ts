import { readPreference } from '../../src/http/prefer.ts';

test.each<[string | string[] | undefined, number | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['return=minimal', undefined],
  ['wait=10', undefined],
  ['respond-async', 0],
  ['Respond-Async', 0],
  ['respond-async, wait=10', 10_000],
  ['wait=10,respond-async', 10_000],
  [['respond-async', 'wait=7'], 7_000],
  ['respond-async;x=1, wait="5"; y=2', 5_000],
  ['respond-async, wait=3, wait=9', 3_000],
  ['respond-async, wait=60', 60_000],
  ['respond-async, wait=61', 0],
  ['respond-async, wait=-1', 0],
  ['respond-async, wait=1.5', 0],
  ['respond-async, wait', 0],
  ['handling=lenient, respond-async, return=representation', 0],
])('the header Prefer: %j is a wait of %p milliseconds for a 202 (spec 26.1, spec 26.2)', (header, waitMs) => {
  expect(readPreference(header)?.waitMs).toBe(waitMs);
});
