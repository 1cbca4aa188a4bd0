import '../../src/v8-flags.ts';
import '../../src/deps.ts';
import '../../src/http/app.ts';
import '../../src/worker/run-worker.ts';

/**
 * Stores, once per run, the modules of api and worker in the compile cache, with the V8 flags of these programs. Most of those that
 * tests start are killed, and a killed process stores nothing.
 */
process.exit();
