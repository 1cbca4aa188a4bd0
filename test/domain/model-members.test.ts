import { rankMembers, withoutPrimary } from '../../src/domain/model-members.ts';

test('members of a model group are ranked by priority, and with equal priority by their position', () => {
  const members = [
    { name: 'late', priority: 5 },
    { name: 'b', priority: 1 },
    { name: 'a', priority: 1 },
    { name: 'third of the array', priority: null },
    { name: 'primary', priority: 0 },
  ];

  expect(rankMembers(members)).toEqual([
    { name: 'primary', priority: 0, position: 4 },
    { name: 'b', priority: 1, position: 1 },
    { name: 'a', priority: 1, position: 2 },
    { name: 'third of the array', priority: 3, position: 3 },
    { name: 'late', priority: 5, position: 0 },
  ]);
});

test('the primary model is removed from its fallbacks (spec 7.8)', () => {
  expect(withoutPrimary(['b', 'a', 'c'], 'a')).toEqual(['b', 'c']);
});
