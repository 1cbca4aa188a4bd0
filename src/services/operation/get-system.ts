import { readSystem } from '../../db/figures/read-system.ts';
import { measureDependencies } from '../../health/measure-dependencies.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

async function readNow(deps: ServiceDeps) {
  const [measured, figures] = await Promise.all([measureDependencies(deps), readSystem(deps.database)]);
  return { measured, figures, isWorkerAway: deps.workerWatch.isUnavailable() };
}

/** The state of the installation: dependencies, workers, maintenance, and what waits. */
export const getSystem = ({ deps }: ServiceContext) => deps.figures('system', () => readNow(deps));

export type SystemState = Awaited<ReturnType<typeof getSystem>>;
