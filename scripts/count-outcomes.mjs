// `node scripts/count-outcomes.mjs <exit code of the check> <exit code of the tests> <jest's results> <those of files that ran again>`:
// the last lines of a CI run.
import { existsSync, readFileSync } from 'node:fs';

const [check, tests, first, second] = process.argv.slice(2);
const [results, again] = [readResults(first), readResults(second)];
const latest = new Map([...results, ...again].map((file) => [file.name, file]));

let [passed, failed] = [Number(check === '0'), Number(check !== '0')];
let failedTests = 0;
for (const { status, assertionResults } of latest.values()) {
  passed += count(assertionResults, 'passed');
  // A file that could not be loaded, or fails after its tests, counts as one failure.
  if (status === 'failed') failedTests += Math.max(1, count(assertionResults, 'failed'));
}
// So does a run that failed without a failed test.
failed += failedTests || Number(tests !== '0' || results.length === 0);

for (const { name, status } of again) if (status !== 'failed') console.log(`passed only by itself: ${name}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function count(all, wanted) {
  return all.filter(({ status }) => status === wanted).length;
}

function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : [];
}
