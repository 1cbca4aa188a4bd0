// `node scripts/count-outcomes.mjs <jest's results> <exit code of the check> <exit code of the tests>`: the last line of a CI run.
import { readFileSync } from 'node:fs';

const [file, check, tests] = process.argv.slice(2);
const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = readResults();
const passed = numPassedTests + Number(check === '0');
// A test file that could not be loaded counts as one failure, and so does a run that failed without a failed test.
const failedTests = numFailedTests + numRuntimeErrorTestSuites || Number(tests !== '0');
const failed = failedTests + Number(check !== '0');

console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && numPassedTests > 0 ? 0 : 1);

function readResults() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 1 };
  }
}
