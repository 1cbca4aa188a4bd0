import { freePort } from '../../tools/dev/services/free-port.ts';
import { startApiProcess } from '../support/api-process.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { startWorkerProcess } from '../support/worker-process.ts';
import { startOtlpReceiver } from '../tracing/otlp-receiver.ts';
import { buildCollector, startCollector } from './collector.ts';

beforeAll(buildCollector, 1_200_000);
const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

test('the collector of OpenTelemetry receives three spans of each call, and its restart is noticed by no call (operations 5.2) (spec 14.11)', async () => {
  const receiver = await startOtlpReceiver();
  const port = await freePort();
  let collector = await startCollector(port, receiver.url);
  const traced = {
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  const [api, worker] = await Promise.all([
    startApiProcess(gateway.current, traced),
    startWorkerProcess(gateway.current, traced),
  ]);
  const addressed = { current: { url: api.url, masterKey: gateway.current.masterKey } };
  const team = await given.team({ credits: 100, models: ['sim-echo'] });
  const makeCalls = async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => as(addressed, team).single({})));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    return answers.map(({ headers }) => headers.get('x-call-id'));
  };
  const kindsOf = (callId: string | null) =>
    receiver.spans.filter(({ attributes }) => attributes['call.id'] === callId).map(({ kind }) => kind);
  const areWhole = (callIds: (string | null)[]) => callIds.every((callId) => kindsOf(callId).length === 3);

  const before = await makeCalls();
  await until(() => areWhole(before));
  await collector.end();
  await makeCalls();
  await until(() => api.lines.some(({ msg }) => msg === 'tracing: spans are not exported'));
  collector = await startCollector(port, receiver.url);
  await until(() => api.lines.some(({ msg }) => msg === 'tracing: spans are exported again'), Boolean, 40_000);
  const after = await makeCalls();
  await until(() => areWhole(after), Boolean, 40_000);

  for (const callId of [...before, ...after]) expect(kindsOf(callId).sort()).toEqual(['client', 'internal', 'server']);
  await Promise.all([api.end(), worker.end()]);
  await collector.end();
  await receiver.close();
}, 180_000);
