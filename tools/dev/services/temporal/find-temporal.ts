import { join } from 'node:path';
import type { Print } from '../../print.ts';
import { ownEnvironment } from '../own-environment.ts';
import { findProgram, runProgram } from '../run-program.ts';
import { downloadTemporal } from './download-temporal.ts';
import { temporalVersion } from './release.ts';

/** An installed one may be newer, but not older: the settings and the database of a data folder are those of this release. */
export async function findTemporal(cacheFolder: string, print: Print): Promise<string> {
  const installed = findProgram(['temporal']);
  const version = installed && (await versionOf(installed, cacheFolder));
  if (installed && version && isRecent(version)) return installed;
  const folder = join(cacheFolder, `temporal-${temporalVersion}`);
  const program = join(folder, 'temporal');
  if (await versionOf(program, cacheFolder)) return program;
  const { ok, output } = await downloadTemporal(folder, print);
  if (ok && (await versionOf(program, cacheFolder))) return program;
  const onPath = !installed ? 'no program "temporal"' : `${installed} ${version ? `is ${version}` : 'does not run'}`;
  throw new Error(
    `There is no Temporal CLI ${temporalVersion} or newer here, and none could be fetched.\n` +
      `  on PATH: ${onPath}\n  download:\n    ${output || `${program} does not run`}\n` +
      'Install it (https://docs.temporal.io/cli/setup-cli), or set TEMPORAL_ADDRESS to a Temporal server.',
  );
}

/** undefined: it does not run. */
async function versionOf(program: string, home: string): Promise<string | undefined> {
  const { ok, output } = await runProgram(program, ['--version'], { env: ownEnvironment(home), timeoutMs: 10_000 });
  return ok ? (/version (\d+\.\d+\.\d+)/.exec(output)?.[1] ?? '0.0.0') : undefined;
}

export function isRecent(version: string): boolean {
  const [found, wanted] = [version, temporalVersion].map((text) => text.split('.').map(Number));
  const different = wanted!.findIndex((part, index) => part !== found![index]);
  return different < 0 || found![different]! > wanted![different]!;
}
