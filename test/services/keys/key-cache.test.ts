import { setTimeout as pause } from 'node:timers/promises';
import { createKeyCache } from '../../../src/services/keys/key-cache.ts';
import { defaultCallSettings } from '../../support/unsent-work.ts';

const team = (team_id: string) => ({
  team_id,
  organization_id: 'acme',
  key_id: null,
  ...defaultCallSettings,
  suspended: false,
});
const hashes = (name: string) => [Buffer.from(name)];

test('the cache returns a key as it was set last, until it is deleted', () => {
  const cache = createKeyCache();

  cache.set(hashes('a'), team('old'));
  cache.set(hashes('a'), team('new'));
  expect(cache.get(hashes('a'))).toEqual(team('new'));
  cache.delete(hashes('a'));

  expect(cache.get(hashes('a'))).toBeUndefined();
});

test('the cache keeps a key for some time after it was read, however often it is got', async () => {
  const cache = createKeyCache({ keptMs: 200 });
  cache.set(hashes('a'), team('a'));

  while (cache.get(hashes('a'))) await pause(10);

  expect(cache.get(hashes('a'))).toBeUndefined();
});

test('of too many keys the ones that were read first are deleted', () => {
  const cache = createKeyCache({ mostKeys: 2 });

  for (const name of ['a', 'b', 'a', 'c']) cache.set(hashes(name), team(name));

  expect(['a', 'b', 'c'].map((name) => cache.get(hashes(name))?.team_id)).toEqual(['a', undefined, 'c']);
});
