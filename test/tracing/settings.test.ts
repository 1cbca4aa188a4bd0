import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { startApiProcess } from '../support/api-process.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { runProgram } from '../support/run-program.ts';
import { sendRequest } from '../support/send-request.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

const gateway = gatewayForTests({ worker: false });
const folder = mkdtempSync(join(tmpdir(), 'job-gateway-tracing-'));
afterAll(() => rmSync(folder, { recursive: true }));
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

const loadedWith = async (settings: Record<string, string>) =>
  JSON.parse(await runProgram('test/tracing/print-loaded.ts', { ...gateway.current.environment, ...settings }));

test.each<[string, Record<string, string>]>([
  ['without OTEL_EXPORTER_OTLP_ENDPOINT', {}],
  ['with an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['with OTEL_SDK_DISABLED=true', { ...endpoint, OTEL_SDK_DISABLED: 'true' }],
  ['with OTEL_TRACES_EXPORTER=none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
])('%s nothing of the SDK of OpenTelemetry is loaded (operations 5.2) (spec 14.11)', async (_, settings) => {
  const { isOn, loaded } = await loadedWith(settings);

  expect(isOn).toBe(false);
  // The client of Prometheus has it for exemplars.
  expect(loaded.filter((name: string) => name !== '@opentelemetry/api')).toEqual([]);
});

test('with OTEL_EXPORTER_OTLP_ENDPOINT the SDK and its exporter are loaded (spec 14.11)', async () => {
  expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })).toEqual({
    isOn: true,
    loaded: expect.arrayContaining(['@opentelemetry/exporter-trace-otlp-proto', '@opentelemetry/sdk-trace-base']),
  });
});

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'one of http/protobuf'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json', 'one of http/protobuf'],
  ['OTEL_TRACES_EXPORTER', 'zipkin', 'one of otlp, none'],
])('%s=%s is refused where traces are on, and ignored elsewhere (spec 14.11)', (name, value, allowed) => {
  const { environment } = gateway.current;

  expect(() => loadConfig({ ...environment, [name]: value })).not.toThrow();
  expect(() => loadConfig({ ...environment, ...endpoint, [name]: value })).toThrow(`${name}="${value}": ${allowed}`);
});

test('an endpoint that is no URL is refused without being shown: it may have a password (spec 14.11)', () => {
  const load = () => loadConfig({ ...gateway.current.environment, OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' });

  expect(load).toThrow('OTEL_EXPORTER_OTLP_ENDPOINT: an http or https URL');
});

test('the SDK reads its own variables, and the headers of the exporter may be in a file (operations 3.1) (spec 14.11)', async () => {
  const receiver = await startOtlpReceiver();
  const file = join(folder, 'headers');
  writeFileSync(file, 'authorization=Bearer%20abc,x-scope=one\n');
  const api = await startApiProcess(gateway.current, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS_FILE: file,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_SERVICE_NAME: 'our-gateway',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  });
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };

  await sendRequest(api.url, 'get', '/api/jobs');
  await sendRequest(api.url, 'get', '/api/jobs', { headers });
  await api.end();

  expect(receiver.spans.map((span) => span.traceId)).toEqual([traceId]);
  expect(receiver.spans[0]!.resource).toMatchObject({
    'service.name': 'our-gateway',
    'deployment.environment.name': 'test',
  });
  expect(receiver.headers).toEqual([
    expect.objectContaining({ path: '/v1/traces', authorization: 'Bearer abc', 'x-scope': 'one' }),
  ]);
  await receiver.close();
});
