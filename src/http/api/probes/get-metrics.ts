import { Registry } from 'prom-client';
import { z } from 'zod';
import { route } from '../../route.ts';

export const getMetrics = route(
  {
    operationId: 'getMetrics',
    method: 'get',
    path: '/metrics',
    summary: 'Show the metrics of this process',
    description:
      'Prometheus text. Where `METRICS_PORT` is set, api and worker show theirs there too, without a key and with nothing else.',
    tag: 'Probes',
    access: { audience: ['admin'] },
    response: z.string(),
    produces: Registry.PROMETHEUS_CONTENT_TYPE,
  },
  ({ deps }) => deps.metrics.registry.metrics(),
);
