import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type History, historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** Counts recordings: a snapshot's `version` is another number. */
const recording = process.env.RECORD_VERSION;

/** Beside those of earlier recordings, which stay as they are. Who ran it is of no interest to a replay. */
export function writeHistory(name: string, history: History): void {
  if (!recording)
    throw new Error('RECORD_VERSION has to name the recording: one more than those in test/replay/histories');
  const file = fileURLToPath(new URL(`./histories/${recording}-${name}.json`, import.meta.url));
  const text = historyToJSON(history).replaceAll(`${process.pid}@${hostname()}`, 'worker');
  writeFileSync(file, `${text}\n`, { flag: 'wx' });
}
