// `node scripts/list-failed-files.mjs <jest's results>`: the test files that failed, one on each line.
import { existsSync, readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (existsSync(file))
  for (const { name, status } of JSON.parse(readFileSync(file, 'utf8')).testResults)
    if (status === 'failed') console.log(name);
