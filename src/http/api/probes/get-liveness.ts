import { LivenessResponse } from '../../../contracts/probes.ts';
import { version } from '../../../version.ts';
import { route } from '../../route.ts';

export const getLiveness = route(
  {
    operationId: 'getLiveness',
    method: 'get',
    path: '/health/live',
    summary: 'Report that this process answers',
    description: 'No dependency is checked: an outage of one is no reason to restart this process.',
    tag: 'Probes',
    needsDatabase: false,
    access: { audience: [] },
    limits: { rate: 'frequent' },
    response: LivenessResponse,
  },
  async () => ({ status: 'live' as const, service: 'job-gateway' as const, version }),
);
