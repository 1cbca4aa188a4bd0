import { type JestConfig, setup as setUpServices } from '../support/global-setup.ts';
import { openCluster } from './support/cluster.ts';
import { shared } from './support/shared-cluster.ts';

/** Starts the cluster, and lets the set-up of all tests use it in place of a server of its own. */
export async function setup(config: JestConfig): Promise<void> {
  shared.cluster ??= await openCluster();
  process.env.TEMPORAL_ADDRESS = shared.cluster.address;
  process.env.TEMPORAL_NAMESPACE = shared.cluster.namespace;
  await setUpServices(config);
}

export { setup as default };
