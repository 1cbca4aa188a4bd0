import { HealthAnswer } from '../../../contracts/probes.ts';
import { route } from '../../route.ts';
import { serializeHealth } from './support/serialize-health.ts';

export const getHealth = route(
  {
    method: 'get',
    path: '/health',
    summary: 'Tell how the service is',
    description: 'Always 200 while the process answers; `degraded` when something that it stands on is away.',
    tag: 'Probes',
    needsDatabase: false,
    auth: [],
    unlimited: true,
    response: HealthAnswer,
  },
  async ({ deps }) => serializeHealth(await deps.health()),
);
