import { readChapters } from '../test/architecture/read-clauses.ts';

/** `npm run clauses`: each clause of the specification with the tests that prove it, and then the clauses without a test. */
const chapters = readChapters();

for (const { heading, clauses } of chapters) {
  console.log(`\n${heading}`);
  for (const { heading, tests } of clauses) console.log([`\n  ${heading}`, ...tests].join('\n    '));
}

const clauses = chapters.flatMap(({ clauses }) => clauses);
const unproved = clauses.filter(({ tests }) => tests.length === 0);
console.log(`\n${clauses.length - unproved.length} of ${clauses.length} clauses have a test. Without one:`);
for (const { heading, clauses } of chapters) {
  const without = clauses.filter((clause) => unproved.includes(clause));
  if (without.length > 0) console.log([`\n${heading}`, ...without.map((clause) => clause.heading)].join('\n  '));
}
if (unproved.length === 0) console.log('none');
