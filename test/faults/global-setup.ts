import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setup as setUpServices } from '../support/global-setup.ts';

/** Runs the full form of every fault and stores its figures for the table at the end. */
export async function setup(config: Parameters<typeof setUpServices>[0]): Promise<void> {
  process.env.FAULTS = 'full';
  process.env.FAULTS_FIGURES = join(mkdtempSync(join(tmpdir(), 'job-gateway-faults-')), 'figures');
  await setUpServices(config);
}

export { setup as default };
