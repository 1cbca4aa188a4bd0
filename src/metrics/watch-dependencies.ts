import { Gauge, type Registry } from 'prom-client';
import type { HealthCheck } from '../health/health.ts';
import type { UpstreamWatch } from '../health/watch-upstream.ts';

/** What `/health` answers, as this api sees it: 1 is up, 0 is down. An upstream without a list of models has no value. */
export function watchDependencies(
  registry: Registry,
  { health, upstreamWatch }: Pick<HealthCheck, 'health'> & { upstreamWatch: Pick<UpstreamWatch, 'state'> },
): void {
  new Gauge({
    name: 'gateway_dependency_up',
    help: 'Whether this process reaches what it depends on',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      const upstream = upstreamWatch.state();
      const states = Object.entries({ ...(await health()), upstream });
      this.reset();
      for (const [dependency, state] of states)
        if (state !== 'unknown') this.set({ dependency }, state === 'up' ? 1 : 0);
    },
  });
}
