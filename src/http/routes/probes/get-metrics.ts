import { Registry } from 'prom-client';
import { z } from 'zod';
import { route } from '../../route.ts';

export const getMetrics = route(
  {
    method: 'get',
    path: '/metrics',
    summary: 'Show the metrics of this process',
    description: 'Prometheus text. A worker shows its own at `METRICS_PORT`.',
    tag: 'Probes',
    auth: [],
    unlimited: true,
    response: z.string(),
    produces: Registry.PROMETHEUS_CONTENT_TYPE,
  },
  ({ deps }) => deps.metrics.registry.metrics(),
);
