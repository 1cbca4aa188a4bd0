import { inKib } from '../console/build/budget.ts';
import { buildConsole } from '../console/build/build-console.ts';
import { consoleIsBuilt, consoleVersion } from '../console/build/console-version.ts';

/** `npm run build:console`, and with `--if-changed` by `npm start`: nothing is done where the sources were built before. */
// The tests have another, with which React is built for development.
process.env.NODE_ENV = 'production';
const version = consoleVersion();
if (!process.argv.includes('--if-changed') || !consoleIsBuilt(version)) {
  for (const { page, script, total } of await buildConsole(version))
    console.log(`${page}: ${inKib(script)} of script, ${inKib(total)} in all`);
}
