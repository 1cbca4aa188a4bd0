import { HealthResponse } from '../../../contracts/probes.ts';
import { route } from '../../route.ts';
import { serializeHealth } from './serialize-health.ts';

export const getHealth = route(
  {
    operationId: 'getHealth',
    method: 'get',
    path: '/health',
    summary: 'Report the state of the service',
    description: 'Always 200 while the process answers; `degraded` while a dependency is unavailable.',
    tag: 'Probes',
    needsDatabase: false,
    access: { audience: [] },
    limits: { rate: 'frequent' },
    response: HealthResponse,
  },
  async ({ deps }) => serializeHealth(await deps.health(), deps.upstreamWatch.state()),
);
