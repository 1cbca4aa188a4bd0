import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JestConfig } from '../support/global-setup.ts';

/**
 * Runs the full form of every fault and stores its figures for the table at the end. What reads `FAULTS` is imported afterwards: the tests
 * run in this process, which loads each module once.
 */
export async function setup(config: JestConfig): Promise<void> {
  process.env.FAULTS = 'full';
  process.env.FAULTS_FIGURES = join(mkdtempSync(join(tmpdir(), 'job-gateway-faults-')), 'figures');
  const { setup: setUpServices } = await import('../support/global-setup.ts');
  await setUpServices(config);
}

export { setup as default };
