import type { Cluster } from './cluster.ts';

/** The cluster of the run, which the set-up starts. The tests run in its process, where both find it by the global object. */
export const shared = globalThis as { cluster?: Cluster };

export function theCluster(): Cluster {
  if (!shared.cluster) throw new Error('the cluster is not there: use npm run test:cluster');
  return shared.cluster;
}
