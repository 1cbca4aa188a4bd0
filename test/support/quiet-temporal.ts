import { createLog } from '../../src/log.ts';
import { installRuntime } from '../../src/temporal/worker/run-worker.ts';

/** Temporal's own lines join ours, which a test keeps to itself unless `TEST_LOG_LEVEL` asks for them. */
export const logLevel = process.env.TEST_LOG_LEVEL ?? 'silent';
installRuntime(createLog(logLevel, 'temporal'));
