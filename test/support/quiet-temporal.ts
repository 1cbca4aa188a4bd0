import { createLog } from '../../src/log.ts';
import { installRuntime } from '../../src/worker/run-worker.ts';
import './reuse-workflow-threads.ts';

/** Temporal logs through our logger, which is silent in tests unless `TEST_LOG_LEVEL` is set. */
export const logLevel = process.env.TEST_LOG_LEVEL ?? 'silent';
installRuntime(createLog(logLevel, 'temporal'));
