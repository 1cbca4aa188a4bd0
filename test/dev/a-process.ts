import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Launch } from '../../tools/dev/processes/launch.ts';
import { endRecorded, ProcessRecord } from '../../tools/dev/processes/process-record.ts';

export type Workplace = { folder: string; record: ProcessRecord; logFile: (name: string) => string };

const places: Workplace[] = [];

/** A folder with a record of its own; whatever a test leaves running in it is ended by `endAll`. */
export function aWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-dev-'));
  const place = { folder, record: new ProcessRecord(join(folder, 'processes.json')), logFile: logIn(folder) };
  places.push(place);
  return place;
}

export async function endAll(): Promise<void> {
  for (const { record, folder } of places.splice(0)) {
    record.closed = true;
    await endRecorded(record.file);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program that logs "ready" and stays; asked to end, it logs the time and ends, unless told otherwise. */
export function aLaunch(place: Workplace, { name = 'api', onSigterm = 'process.exit(0)' } = {}): Launch {
  const program = `process.on('SIGTERM', () => { console.log(Date.now()); ${onSigterm} });
    setInterval(() => {}, 1_000); console.log('ready');`;
  return {
    name,
    command: process.execPath,
    args: ['-e', program],
    ready: async () => readFileSync(place.logFile(name), 'utf8').includes('ready'),
  };
}

const logIn = (folder: string) => (name: string) => join(folder, `${name}.log`);
