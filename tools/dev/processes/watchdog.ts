import { rmSync } from 'node:fs';
import { endRecorded } from './process-record.ts';

/**
 * Runs beside a supervisor and reads a pipe whose other end only the supervisor has. The pipe closes when the supervisor ends, for any
 * reason; the watchdog then ends the processes that the supervisor had started. After a regular shutdown there is no record, and
 * nothing to end.
 */
const [recordFile = '', ...toRemove] = process.argv.slice(2);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.stdin.resume();
process.stdin.once('close', async () => {
  await endRecorded(recordFile);
  for (const path of toRemove) rmSync(path, { recursive: true, force: true });
  process.exit(0);
});
