import type { JestConfig } from '../support/global-setup.ts';
import { teardown as endServices } from '../support/global-teardown.ts';
import { shared } from './support/shared-cluster.ts';

export async function teardown(config: JestConfig): Promise<void> {
  await endServices(config);
  await shared.cluster?.close();
}

export { teardown as default };
