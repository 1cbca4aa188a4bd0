import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { startApiProcess } from '../support/api-process.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { startWorkerProcess } from '../support/worker-process.ts';
import { startOtlpReceiver } from './otlp-receiver.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);

const started: { pid: number }[] = [];
afterAll(() => {
  // What a test that failed has not ended.
  for (const { pid } of started) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
});
async function start(settings: NodeJS.ProcessEnv, ofWorker: NodeJS.ProcessEnv = settings) {
  const both = await Promise.all([
    startApiProcess(gateway.current, settings),
    startWorkerProcess(gateway.current, ofWorker),
  ]);
  started.push(...both);
  return both;
}

function clientSpan() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

test('a call whose worker dies while its model works stays in one trace, which the next worker continues (operations 5.2) (spec 14.11)', async () => {
  const receiver = await startOtlpReceiver();
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
  const [api, lost] = await start(traced);
  const addressed = { current: { url: api.url, masterKey: gateway.current.masterKey } };
  const team = await given.team({ models: ['sim-slow-60000-first-1-then-slow-100'] });
  const { traceId, headers } = clientSpan();
  const sent = () => gateway.current.simulator.requests.filter(({ traceparent }) => traceparent?.includes(traceId));

  const answering = as(addressed, team).single({}, headers);
  await until(sent, ({ length }) => length === 1);
  await lost.kill();
  const next = await startWorkerProcess(gateway.current, traced);
  started.push(next);
  expectOk(await answering);
  const spans = await receiver.trace(traceId, 3);

  const [server, attempt, client] = spans;
  expect(spans.map(({ kind }) => kind)).toEqual(['server', 'internal', 'client']);
  expect(attempt).toMatchObject({ parentId: server!.spanId, attributes: { 'call.attempt': 2 } });
  expect(client!.parentId).toBe(attempt!.spanId);
  expect(sent()).toHaveLength(2);
  expect(sent()[1]!.traceparent).toBe(`00-${traceId}-${client!.spanId}-01`);
  await Promise.all([api.end(), next.end()]);
  await receiver.close();
});

/** A collector that accepts connections and answers nothing. */
async function startSilentCollector() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a collector that is away or silent costs no call anything, and delays the end of a process by two seconds at most (operations 5.2) (spec 14.11)', async () => {
  const silent = await startSilentCollector();
  const quick = { LOG_LEVEL: 'info', OTEL_BSP_SCHEDULE_DELAY: '50', LAME_DUCK_SECONDS: '0' };
  const [api, worker] = await start(
    { ...quick, OTEL_EXPORTER_OTLP_ENDPOINT: silent.url },
    { ...quick, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
  );
  const addressed = { current: { url: api.url, masterKey: gateway.current.masterKey } };
  const team = await given.team({ credits: 30 });

  const answers = await Promise.all(Array.from({ length: 20 }, () => as(addressed, team).single({})));
  await until(silent.connections);
  const warning = () => worker.lines.filter(({ msg }) => msg === 'tracing: spans are not exported');
  await until(warning, ({ length }) => length > 0);
  const endedAt = performance.now();
  const [, code] = await Promise.all([api.end(), worker.end()]);

  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(code).toBe(0);
  expect(performance.now() - endedAt).toBeLessThan(8_000);
  expect(warning()).toHaveLength(1);
  await silent.close();
});
