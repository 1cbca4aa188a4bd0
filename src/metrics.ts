import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** What `/metrics` shows, in Prometheus text. Labels are routes and outcomes, never ids. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Counter({
      name: 'gateway_requests_total',
      help: 'HTTP requests answered',
      labelNames: ['method', 'path', 'status'],
      registers: [registry],
    }),
  };
}
