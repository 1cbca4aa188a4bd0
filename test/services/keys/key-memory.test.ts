import { setTimeout as pause } from 'node:timers/promises';
import { createKeyMemory } from '../../../src/services/keys/key-memory.ts';
import { defaultCallSettings } from '../../support/unsent-work.ts';

const team = (team_id: string) => ({
  team_id,
  organization_id: 'acme',
  key_id: null,
  ...defaultCallSettings,
  suspended: false,
});
const hashes = (name: string) => [Buffer.from(name)];

test('a key is remembered as it was stored last, until it is forgotten', () => {
  const memory = createKeyMemory();

  memory.store(hashes('a'), team('old'));
  memory.store(hashes('a'), team('new'));
  expect(memory.find(hashes('a'))).toEqual(team('new'));
  memory.forget(hashes('a'));

  expect(memory.find(hashes('a'))).toBeUndefined();
});

test('a key is forgotten some time after it was read, however often it is found', async () => {
  const memory = createKeyMemory({ rememberMs: 200 });
  memory.store(hashes('a'), team('a'));

  while (memory.find(hashes('a'))) await pause(10);

  expect(memory.find(hashes('a'))).toBeUndefined();
});

test('of too many keys the ones that were read first are forgotten', () => {
  const memory = createKeyMemory({ mostKeys: 2 });

  for (const name of ['a', 'b', 'a', 'c']) memory.store(hashes(name), team(name));

  expect(['a', 'b', 'c'].map((name) => memory.find(hashes(name))?.team_id)).toEqual(['a', undefined, 'c']);
});
