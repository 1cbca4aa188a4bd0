import { rmSync } from 'node:fs';
import { endRecorded } from './process-record.ts';

/**
 * Runs beside a supervisor and reads a pipe that only the supervisor holds open. When the pipe closes, the supervisor is gone,
 * for whatever reason, and the processes that it had started are ended too. After an orderly end the record is gone and nothing
 * is left to do.
 */
const [recordFile = '', ...toRemove] = process.argv.slice(2);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.stdin.resume();
process.stdin.once('close', async () => {
  await endRecorded(recordFile);
  for (const path of toRemove) rmSync(path, { recursive: true, force: true });
  process.exit(0);
});
