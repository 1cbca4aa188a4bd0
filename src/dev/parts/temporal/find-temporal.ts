import { join } from 'node:path';
import type { Say } from '../../say.ts';
import { findProgram } from '../find-program.ts';
import { runProgram } from '../run-program.ts';
import { buildTemporal } from './build-temporal.ts';
import { downloadTemporal } from './download-temporal.ts';

/** The release whose dev server the flags were measured with; later ones cannot be built with "go install". */
const temporalVersion = '1.5.1';

/** From the quickest way to one that takes minutes; each way that fails says why in the final error. */
export async function findTemporal(cacheFolder: string, say: Say): Promise<string> {
  const cache = join(cacheFolder, `temporal-${temporalVersion}`);
  const installed = findProgram(['temporal']);
  if (installed && (await runs(installed))) return installed;
  const cached = join(cache, 'temporal');
  if (await runs(cached)) return cached;
  const download = await downloadTemporal(cache, temporalVersion, say);
  if (download.ok && (await runs(cached))) return cached;
  const build = await buildTemporal(cache, temporalVersion, say);
  if (build.ok && (await runs(cached))) return cached;
  throw new Error(
    'There is no Temporal server here, and none could be fetched.\n' +
      `  on PATH: ${installed ? `${installed} does not run` : 'no program "temporal"'}\n` +
      `  download: ${download.output}\n  go install: ${build.output}\n` +
      'Install the Temporal CLI (https://docs.temporal.io/cli/setup-cli), or Go to have it built here, or set TEMPORAL_ADDRESS.',
  );
}

const runs = async (program: string): Promise<boolean> =>
  (await runProgram(program, ['--version'], { timeoutMs: 10_000 })).ok;
