import { createRequire, flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The function that Jest calls as the `testRunner` of its configuration. */
type TestRunner = (
  globalConfig: { seed: number },
  config: object,
  environment: object,
  runtime: object,
  testPath: string,
  sendMessageToJest?: unknown,
) => Promise<object>;

// A process with nothing left to do ends at once. By itself Node.js would take its heap and its threads apart first, for longer than Jest waits.
process.once('beforeExit', () => process.exit());

const require = createRequire(import.meta.url);
const { default: runWithCircus }: { default: TestRunner } = require('jest-circus/runner');

/**
 * Runs a test file as Node.js runs the product: modules are loaded by Node.js itself, from its compile cache, and once per test process.
 * Jest's own loader runs each test file in a new realm and evaluates the product and its packages there again, which
 * took 1.5 s of a core per file and most of the memory. It makes mocks of modules possible, and there are none here. The price:
 * the state of a module (a counter, an environment variable that was set) is shared with later test files of the same process.
 */
const runNatively: TestRunner = (globalConfig, config, environment, _runtime, testPath, sendMessageToJest) => {
  // Jest's own loader makes the object `jest`. Tests use this member of it alone.
  Object.assign(globalThis, { jest: { getSeed: () => globalConfig.seed } });
  return runWithCircus(
    globalConfig,
    config,
    nativeEnvironment(environment),
    nativeRuntime,
    testPath,
    sendMessageToJest,
  );
};

export { runNatively as default };

const nativeEnvironment = (environment: object) => ({ ...environment, global: globalThis });

/** The members of Jest's loader that jest-circus uses. */
const nativeRuntime = {
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: importFile,
  requireModule: require,
  requireInternalModule: requireAnew,
  setGlobalsForRuntime: () => undefined,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

/** Node.js would write the compile cache when the process exits, which takes longer than Jest waits for that. */
async function importFile(path: string): Promise<void> {
  await import(pathToFileURL(path).href);
  flushCompileCache();
}

/** jest-circus stores the tests and the handlers of one file in its own module and on the global object. */
function requireAnew(path: string): unknown {
  Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
  delete require.cache[path];
  return require(path);
}
