import type { Config } from '../config.ts';
import type { TraceContext } from '../domain/trace-context.ts';
import type { Log } from '../log.ts';

export type SpanKind = 'server' | 'internal' | 'client';
/** Names, ids, numbers and words of a program: never text of a request or an answer, a key or a query. `spec 14.11` */
export type SpanAttributes = Record<string, string | number | boolean | undefined>;

export interface NewSpan {
  name: string;
  kind: SpanKind;
  /** The span that caused this one. Undefined or null: the span begins a trace. */
  parent?: TraceContext | undefined | null;
  attributes?: SpanAttributes;
  /** Of `Date.now()`; otherwise it has begun now. */
  startedAt?: number;
}

/** Something that a process does, from its start to its end. */
export interface ActiveSpan {
  /** What continues the trace in this process or the next one. */
  readonly context: TraceContext;
  set(attributes: SpanAttributes): void;
  /** `errorType`: a word of a program, where it has failed. */
  end(errorType?: string): void;
}

export interface Tracing {
  start(span: NewSpan): ActiveSpan;
  /** Exports what has not been exported yet, within two seconds. */
  close(): Promise<void>;
}

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
