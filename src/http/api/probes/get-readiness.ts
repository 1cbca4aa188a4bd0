import { HealthResponse } from '../../../contracts/probes.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { serializeHealth } from './serialize-health.ts';

export const getReadiness = route(
  {
    operationId: 'getReadiness',
    method: 'get',
    path: '/health/ready',
    summary: 'Report whether this process should get requests',
    description:
      'For a load balancer. 503 while this process is about to end or the database is unavailable. While Temporal, Redis or every worker is unavailable, reads are answered and the other requests get a 503 of their own.',
    tag: 'Probes',
    needsDatabase: false,
    access: { audience: [] },
    limits: { rate: 'frequent' },
    response: HealthResponse,
    errors: ['not_ready'],
  },
  async ({ deps }) => {
    if (deps.drain.isDraining()) throw refuse('not_ready', 'draining');
    const { isReady, dependencies } = await deps.readiness();
    if (!isReady) throw refuse('not_ready', 'database away');
    return serializeHealth(dependencies, deps.upstreamWatch.state());
  },
);
