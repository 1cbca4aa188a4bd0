import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Tracing } from './tracing.ts';

/**
 * Without `OTEL_EXPORTER_OTLP_ENDPOINT` there is none, and nothing of OpenTelemetry is loaded. All other `OTEL_` variables are those of its
 * SDK, which reads them by itself.
 */
export async function openTracing(config: Config, service: 'api' | 'worker', log: Log): Promise<Tracing | undefined> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  if (config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return undefined;
  const { startTracing } = await import('./start-tracing.ts');
  return startTracing(config, service, log);
}
