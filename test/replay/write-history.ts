import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type History, historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/** Counts recordings: a snapshot's `version` is another number. */
const version = process.env.RECORD_VERSION ?? 'v1';

/** Beside those of earlier versions. Who ran it is of no interest to a replay. */
export function writeHistory(name: string, history: History): void {
  const file = fileURLToPath(new URL(`./histories/${version}-${name}.json`, import.meta.url));
  writeFileSync(file, `${historyToJSON(history).replaceAll(`${process.pid}@${hostname()}`, 'worker')}\n`);
}
