import { createKeyCache } from '../../src/http/auth/key-cache.ts';

const team = (team_id: string) => ({
  team_id,
  organization_id: 'acme',
  rpm_limit: null,
  tpm_limit: null,
  suspended: false,
});

test('remembers what was noted last, until it is told to forget', () => {
  const keys = createKeyCache();
  const key = Buffer.from('one');

  keys.note(key, team('old'));
  keys.note(key, team('new'));
  expect(keys.get(Buffer.from('one'))).toEqual(team('new'));
  keys.note(key, undefined);

  expect(keys.get(key)).toBeUndefined();
});

test('holds so many keys and no more: the one that was unused for the longest goes first', () => {
  const keys = createKeyCache(2);
  const note = (name: string) => keys.note(Buffer.from(name), team(name));

  note('a');
  note('b');
  keys.get(Buffer.from('a'));
  note('c');

  expect(['a', 'b', 'c'].map((name) => keys.get(Buffer.from(name))?.team_id)).toEqual(['a', undefined, 'c']);
});
