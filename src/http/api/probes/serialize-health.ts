import type { z } from 'zod';
import type { HealthResponse } from '../../../contracts/probes.ts';
import type { Health } from '../../../health/health.ts';
import type { UpstreamState } from '../../../health/watch-upstream.ts';
import { version } from '../../../version.ts';

export const serializeHealth = (dependencies: Health, upstream: UpstreamState): z.input<typeof HealthResponse> => ({
  status: Object.values(dependencies).every((state) => state === 'up') ? 'healthy' : 'degraded',
  service: 'job-gateway',
  version,
  dependencies: { ...dependencies, upstream },
});
