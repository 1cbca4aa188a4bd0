/**
 * The place of a span in its trace, as a text: the value of W3C's header `traceparent`, and after a space that of `tracestate`, if there
 * is one. It is stored with a call, and what follows on the call continues the trace.
 */
export type TraceContext = string;

/** `version-trace_id-parent_id-flags`. A later version may have more after the flags, and is read as the first one. */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const firstVersion = '00';
/** The flag that the caller records its trace. The others have no meaning in the first version. */
const sampledFlag = 1;
/** No service has to pass on more of it. */
const maxStateCharacters = 512;
const visibleAscii = /^[\x20-\x7e]+$/;

/** What a request has in its headers. Undefined: nothing valid, and the request begins a trace. */
export function readTraceHeaders({ traceparent, tracestate }: Record<string, unknown>): TraceContext | undefined {
  const [, version, traceId, spanId, flags, rest] = (typeof traceparent === 'string' && form.exec(traceparent)) || [];
  if (version === undefined || (version === firstVersion && rest !== undefined)) return undefined;
  const parent = toTraceparent(traceId!, spanId!, (Number.parseInt(flags!, 16) & sampledFlag) === sampledFlag);
  const hasState =
    typeof tracestate === 'string' && tracestate.length <= maxStateCharacters && visibleAscii.test(tracestate);
  return hasState ? `${parent} ${tracestate}` : parent;
}

export const toTraceparent = (traceId: string, spanId: string, isSampled: boolean): string =>
  `${firstVersion}-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The parts of a context that this service has written. */
export function partsOfTrace(context: TraceContext) {
  const [traceparent = '', ...states] = context.split(' ');
  const [, traceId = '', spanId = '', flags] = traceparent.split('-');
  return { traceId, spanId, isSampled: flags === '01', traceparent, tracestate: states.join(' ') };
}

/** The headers that continue the trace. */
export function traceHeaders(context: TraceContext): Record<string, string> {
  const { traceparent, tracestate } = partsOfTrace(context);
  return { traceparent, ...(tracestate && { tracestate }) };
}
