import { choosePrevious } from './support/previous-code.ts';

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
  [
    'the newest with fewer migrations',
    ['abc', 'abc', 'ab', 'a'],
    { commit: 'commit 2', newMigrations: ['0003-calls.ts'] },
  ],
  [
    'the newest commit, where a migration is not committed yet',
    ['ab', 'a'],
    { commit: 'commit 0', newMigrations: ['0003-calls.ts'] },
  ],
  [
    'the oldest with the same ones, where a migration was changed before them',
    ['abc', 'abc', 'axc'],
    { commit: 'commit 1', newMigrations: [] },
  ],
  ['none, where each has a migration of other content', ['axc', 'ab'], undefined],
])('the earlier code that an upgrade is tried with is %s', (_, hashes, expected) => {
  expect(choosePrevious(today, commitsOf(...hashes))).toEqual(expected);
});
