import { readFileSync } from 'node:fs';
import { endProcess } from './end-process.ts';
import type { ProcessRecord } from './process-record.ts';
import { type Launch, type RunningProcess, startProcess } from './start-process.ts';
import { waitUntil } from './wait-until.ts';

const attempts = 3;

/**
 * Starts a component and waits until it is ready. Each attempt creates a new launch: the usual cause of a failure is that another
 * process has taken the free port meanwhile.
 */
export async function startUntilReady<Made extends Launch>(
  createLaunch: () => Promise<Made>,
  {
    logFile,
    record,
    withinMs = 60_000,
  }: { logFile: (name: string) => string; record: ProcessRecord; withinMs?: number },
): Promise<{ launch: Made; running: RunningProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const launch = await createLaunch();
    const log = logFile(launch.name);
    const running = await startProcess(launch, log, record);
    let exit: string | undefined;
    running.exited.then((how) => {
      exit = how;
    });
    const isReady = async () => running.hasAnnounced() && (await launch.ready());
    const settled = await waitUntil(async () => exit !== undefined || (await isReady()), { withinMs });
    if (settled && exit === undefined) return { launch, running };
    const how = exit;
    await endProcess(running, 5_000);
    record.remove(running.pid);
    if (attempt === attempts || how === undefined)
      throw new Error(
        `${launch.name} did not start: ${how ?? `not ready within ${withinMs / 1_000} s`}\n${lastLines(log)}`,
      );
  }
}

export function lastLines(file: string, count = 15): string {
  try {
    return `${file} ends with:\n${readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n')}`;
  } catch {
    return `${file} is empty`;
  }
}
