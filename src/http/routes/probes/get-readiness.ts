import { HealthAnswer } from '../../../contracts/probes.ts';
import { refuse } from '../../../errors.ts';
import type { Dependency } from '../../../liveness/health.ts';
import { route } from '../../route.ts';
import { serializeHealth } from './support/serialize-health.ts';

/** Redis is not needed: without it everything but live streaming works. */
const needed: readonly Dependency[] = ['database', 'temporal', 'worker'];

export const getReadiness = route(
  {
    method: 'get',
    path: '/health/ready',
    summary: 'Report whether this process can serve requests',
    tag: 'Probes',
    needsDatabase: false,
    auth: [],
    unlimited: true,
    response: HealthAnswer,
    errors: ['not_ready'],
  },
  async ({ deps }) => {
    const dependencies = await deps.health();
    const away = needed.filter((name) => dependencies[name] === 'down');
    if (away.length > 0) throw refuse('not_ready', away.join(', '));
    return serializeHealth(dependencies);
  },
);
