import type { TraceContext } from '../domain/trace-context.ts';

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
  /** `errorType`: a word of a program, where it has failed. Only the first end counts. */
  end(errorType?: string): void;
}

export interface Tracing {
  start(span: NewSpan): ActiveSpan;
  /** Exports what has not been exported yet, within two seconds. */
  close(): Promise<void>;
}
