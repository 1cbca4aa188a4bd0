import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type History, historyToJSON } from '@temporalio/common/lib/proto-utils.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const folder = fileURLToPath(new URL(`./histories/${version}`, import.meta.url));

/**
 * Writes a history to the folder of the version in package.json. Fails if it is there: recordings of a released version must not
 * change. Host names and stack traces are left out, because a replay does not need them.
 */
export function writeHistory(name: string, history: History): void {
  const withoutHost = historyToJSON(history).replaceAll(`${process.pid}@${hostname()}`, 'worker');
  const withoutTraces = JSON.parse(withoutHost, (key, value) => (key === 'stackTrace' ? undefined : value));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(withoutTraces, null, 2)}\n`, { flag: 'wx' });
}
