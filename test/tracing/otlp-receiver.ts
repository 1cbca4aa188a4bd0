import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { until } from '../support/until.ts';

/** What is read of OTLP 1.7: the numbers of fields are those of opentelemetry-proto. */
const { root } = protobuf.parse(
  `syntax = "proto3";
   message Request { repeated ResourceSpans resource_spans = 1; }
   message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
   message Resource { repeated KeyValue attributes = 1; }
   message ScopeSpans { repeated Span spans = 2; }
   message Span {
     bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; uint32 kind = 6;
     fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; Status status = 15;
   }
   message Status { string message = 2; uint32 code = 3; }
   message KeyValue { string key = 1; Value value = 2; }
   message Value { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }`,
  { keepCase: true },
);
const Request = root.lookupType('Request');

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty: it begins its trace. */
  parentId: string;
  traceState: string;
  name: string;
  kind: 'internal' | 'server' | 'client';
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
  isError: boolean;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
}

const kinds = ['', 'internal', 'server', 'client'] as const;

// biome-ignore lint/suspicious/noExplicitAny: a decoded message
type Decoded = any;
const hex = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('hex');
const attributesOf = (pairs: Decoded[] = []) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value ?? {})[0]]));

function decodeSpans(bytes: Uint8Array): ReceivedSpan[] {
  const decoded: Decoded = Request.toObject(Request.decode(bytes), { longs: Number });
  return (decoded.resource_spans ?? []).flatMap(({ resource, scope_spans = [] }: Decoded) =>
    scope_spans.flatMap(({ spans = [] }: Decoded) =>
      spans.map((span: Decoded) => ({
        traceId: hex(span.trace_id),
        spanId: hex(span.span_id),
        parentId: hex(span.parent_span_id),
        traceState: span.trace_state ?? '',
        name: span.name,
        kind: kinds[span.kind as number],
        attributes: attributesOf(span.attributes),
        resource: attributesOf(resource?.attributes),
        isError: span.status?.code === 2,
        startedAt: span.start_time_unix_nano / 1e6,
        endedAt: span.end_time_unix_nano / 1e6,
      })),
    ),
  );
}

/** A receiver of OTLP over HTTP, in the place of a collector. */
export async function startOtlpReceiver() {
  const bodies: Buffer[] = [];
  const spans: ReceivedSpan[] = [];
  const headers: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    headers.push({ ...request.headers, path: request.url });
    bodies.push(body);
    spans.push(...decodeSpans(body));
    response.setHeader('content-type', 'application/x-protobuf').end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: spans as readonly ReceivedSpan[],
    headers: headers as readonly Record<string, unknown>[],
    /** Everything that was exported, as text. */
    text: () => Buffer.concat(bodies).toString('latin1'),
    /** The spans of a trace once there are so many: each after its parent, and among those of one parent the first one first. */
    async trace(traceId: string, count: number): Promise<ReceivedSpan[]> {
      const found = () => spans.filter((span) => span.traceId === traceId);
      const all = await until(found, ({ length }) => length >= count);
      const depthOf = ({ parentId }: ReceivedSpan): number => {
        const parent = all.find(({ spanId }) => spanId === parentId);
        return parent ? depthOf(parent) + 1 : 0;
      };
      return all.toSorted((a, b) => depthOf(a) - depthOf(b) || a.startedAt - b.startedAt);
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
