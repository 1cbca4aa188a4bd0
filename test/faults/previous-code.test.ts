import { candidates } from './support/previous-code.ts';

const today = new Map([
  ['0001-teams.ts', 'a'],
  ['0002-jobs.ts', 'b'],
  ['0003-calls.ts', 'c'],
]);

/** From new to old, each with the hashes of its migrations. */
const commitsOf = (...hashes: string[]) =>
  hashes.map((each, n) => ({
    commit: `commit ${n}`,
    migrations: new Map([...today.keys()].slice(0, each.length).map((name, at) => [name, each[at]!])),
  }));

test.each([
  ['those with fewer migrations first, the newest of them first', ['abc', 'abc', 'ab', 'a'], [2, 3, 1, 0]],
  ['all commits, where a migration is not committed yet', ['ab', 'a'], [0, 1]],
  ['those after a change of a migration, the oldest first', ['abc', 'abc', 'axc', 'ab'], [1, 0]],
  ['none, where the newest commit has a migration of other content', ['axc', 'ab'], []],
])('the earlier code that an upgrade may begin with is %s', (_, hashes, expected) => {
  expect(candidates(today, commitsOf(...hashes)).map(({ commit }) => commit)).toEqual(
    expected.map((n) => `commit ${n}`),
  );
});
