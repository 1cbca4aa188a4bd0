import {
  type Context,
  createTraceState,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Config } from '../config.ts';
import { partsOfTrace, type TraceContext, toTraceparent } from '../domain/trace-context.ts';
import { instance, type Log } from '../log.ts';
import { version } from '../version.ts';
import type { Tracing } from './tracing.ts';

const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;

/** A process that ends waits no longer for a collector. */
const flushMs = 2_000;

/** The SDK reads the environment, and either setting may have come from somewhere else: the second one from a file. */
function toEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }: Config): void {
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = OTEL_EXPORTER_OTLP_ENDPOINT;
  if (OTEL_EXPORTER_OTLP_HEADERS) process.env.OTEL_EXPORTER_OTLP_HEADERS = OTEL_EXPORTER_OTLP_HEADERS;
}

/**
 * Exports spans in batches, in the background. Where the collector is away they are dropped, once 2,048 of them wait (decision 124).
 */
export function startTracing(config: Config, service: 'api' | 'worker', log: Log): Tracing {
  toEnvironment(config);
  const report = (detail: string) => log.warn({ detail }, 'tracing: warning of the SDK');
  const silent = () => undefined;
  const logger = { error: report, warn: report, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const own = resourceFromAttributes({
    'service.name': `job-gateway-${service}`,
    'service.version': version,
    'service.instance.id': instance,
  });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(reportingFailures(new OTLPTraceExporter(), log))],
  });
  const tracer = provider.getTracer('job-gateway', version);
  return {
    start({ name, kind, parent, attributes, startedAt }) {
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          ...(attributes && { attributes }),
          ...(startedAt !== undefined && { startTime: startedAt }),
        },
        parent ? contextOf(parent) : ROOT_CONTEXT,
      );
      return {
        context: textOf(span.spanContext()),
        set: (more) => void span.setAttributes(more),
        end(errorType) {
          // It has ended, or is not sampled.
          if (!span.isRecording()) return;
          if (errorType !== undefined)
            span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    close: () => withTimeout(provider.shutdown(), flushMs).catch(() => undefined),
  };
}

/** One line when a collector is away, and one when it is back, instead of one for each batch. */
function reportingFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let hasFailed = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        // 0: exported.
        const fails = result.code !== 0;
        if (fails && !hasFailed) log.warn({ err: result.error }, 'tracing: spans are not exported');
        if (!fails && hasFailed) log.info('tracing: spans are exported again');
        hasFailed = fails;
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function contextOf(text: TraceContext): Context {
  const { traceId, spanId, isSampled, tracestate } = partsOfTrace(text);
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(tracestate && { traceState: createTraceState(tracestate) }),
  });
}

function textOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const traceparent = toTraceparent(traceId, spanId, (traceFlags & TraceFlags.SAMPLED) !== 0);
  const tracestate = traceState?.serialize();
  return tracestate ? `${traceparent} ${tracestate}` : traceparent;
}
