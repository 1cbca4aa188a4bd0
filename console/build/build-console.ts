import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { type FirstLoad, firstLoads, overBudget, readManifest, sizeInFolder } from './budget.ts';
import { compressFiles } from './compress.ts';
import { viteConfig } from './vite-config.ts';

const distFolder = fileURLToPath(new URL('../dist', import.meta.url));

/**
 * Builds the console into `console/dist`, which is replaced only by a build that is complete and within its budget. `version`, which
 * identifies the sources, is written to its `build.json`.
 */
export async function buildConsole(version: string): Promise<FirstLoad[]> {
  const draft = `${distFolder}.${process.pid}`;
  try {
    await build({ ...viteConfig, build: { ...viteConfig.build, outDir: draft } });
    const manifest = readManifest(draft);
    rmSync(join(draft, 'manifest.json'));
    await compressFiles(draft);
    const loads = firstLoads(manifest, sizeInFolder(draft));
    const problems = overBudget(loads);
    if (problems.length > 0)
      throw new Error(`The first load of the console is over its budget:\n${problems.join('\n')}`);
    writeFileSync(join(draft, 'build.json'), `${JSON.stringify({ version, loads })}\n`);
    rmSync(distFolder, { recursive: true, force: true });
    renameSync(draft, distFolder);
    return loads;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
