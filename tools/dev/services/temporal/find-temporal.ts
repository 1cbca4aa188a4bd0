import { dirname, join } from 'node:path';
import type { Print } from '../../print.ts';
import { findProgram, runProgram } from '../run-program.ts';
import { buildTemporal } from './build-temporal.ts';
import { downloadTemporal } from './download-temporal.ts';
import { temporalVersion } from './release.ts';

/** Tries the fastest source first and builds last, which takes minutes. The final error has the reason of each source that failed. */
export async function findTemporal(cacheFolder: string, print: Print): Promise<string> {
  const installed = findProgram(['temporal']);
  if (installed && (await runs(installed))) return installed;
  const folder = join(cacheFolder, `temporal-${temporalVersion}`);
  const [downloaded, built] = [join(folder, 'verified', 'temporal'), join(folder, 'built', 'temporal')];
  for (const cached of [built, downloaded]) if (await runs(cached)) return cached;
  const download = await downloadTemporal(dirname(downloaded), print);
  if (download.ok && (await runs(downloaded))) return downloaded;
  const build = await buildTemporal(dirname(built), print);
  if (build.ok && (await runs(built))) return built;
  throw new Error(
    'There is no Temporal server here, and none could be fetched.\n' +
      `  on PATH: ${installed ? `${installed} does not run` : 'no program "temporal"'}\n` +
      `  download: ${download.output}\n  built with Go: ${build.output}\n` +
      'Install the Temporal CLI (https://docs.temporal.io/cli/setup-cli), or Go to have it built here, or set TEMPORAL_ADDRESS.',
  );
}

const runs = async (program: string): Promise<boolean> =>
  (await runProgram(program, ['--version'], { timeoutMs: 10_000 })).ok;
