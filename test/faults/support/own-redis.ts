import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../../src/dev/folders.ts';
import { findRedis } from '../../../src/dev/parts/redis/find-redis.ts';
import { launchRedis } from '../../../src/dev/parts/redis/launch-redis.ts';
import { endRecorded, ProcessRecord } from '../../../src/dev/processes/process-record.ts';
import { startUntilReady } from '../../../src/dev/processes/start-until-ready.ts';

/** An empty Redis that nobody else uses: what a killed one is when it is back. */
export async function startOwnRedis(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-faults-'));
  const recordFile = join(folder, 'processes.json');
  const record = new ProcessRecord(recordFile);
  const program = await findRedis(cacheFolder(folder), () => undefined);
  const { launch } = await startUntilReady(() => launchRedis(program, folder), {
    logFile: (name) => join(folder, `${name}.log`),
    record,
  });
  return {
    url: launch.url,
    async close() {
      record.closed = true;
      await endRecorded(recordFile);
      rmSync(folder, { recursive: true });
    },
  };
}
