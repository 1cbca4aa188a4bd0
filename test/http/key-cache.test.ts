import { createKeyCache } from '../../src/http/auth/key-cache.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { defaultCallSettings } from '../support/unsent-work.ts';

const team = (team_id: string) => ({
  team_id,
  organization_id: 'acme',
  ...defaultCallSettings,
  suspended: false,
});

test('the key cache returns the team that was stored last, until the key is removed', () => {
  const keys = createKeyCache(createMetrics());
  const key = Buffer.from('one');

  keys.store(key, team('old'));
  keys.store(key, team('new'));
  expect(keys.get(Buffer.from('one'))).toEqual(team('new'));
  keys.store(key, undefined);

  expect(keys.get(key)).toBeUndefined();
});

test('a full key cache removes the key that was unused for the longest', () => {
  const keys = createKeyCache(createMetrics(), 2);
  const store = (name: string) => keys.store(Buffer.from(name), team(name));

  store('a');
  store('b');
  keys.get(Buffer.from('a'));
  store('c');

  expect(['a', 'b', 'c'].map((name) => keys.get(Buffer.from(name))?.team_id)).toEqual(['a', undefined, 'c']);
});

test('the metric of the key cache counts hits and misses', async () => {
  const metrics = createMetrics();
  const keys = createKeyCache(metrics);

  keys.store(Buffer.from('a'), team('a'));
  for (const name of ['a', 'b', 'a']) keys.get(Buffer.from(name));

  const { values } = await metrics.keyCache.get();
  expect(values).toMatchObject([
    { labels: { outcome: 'hit' }, value: 2 },
    { labels: { outcome: 'miss' }, value: 1 },
  ]);
});
