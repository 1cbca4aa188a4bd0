import { freePort } from '../../tools/dev/services/free-port.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';

let gateway: Gateway;
let workerUrl: string;
beforeAll(async () => {
  const port = await freePort();
  workerUrl = `http://127.0.0.1:${port}`;
  gateway = await startGateway({ settings: { METRICS_PORT: String(port) } });
});
afterAll(() => gateway.close());

const given = givenIn({
  get current() {
    return gateway;
  },
});

/** The value of one sample of a Prometheus text. */
async function figure(url: string, line: string): Promise<number> {
  const { text } = await sendRequest(url, 'get', '/metrics', {
    key: url === gateway.url ? gateway.masterKey : undefined,
  });
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return Number(found?.slice(line.length + 1));
}

test('the metrics of a worker count calls, tokens, jobs and credits, and those of an api count requests', async () => {
  const team = await given.team({ models: ['sim-tokens-7'] });
  const { single, singleStream } = as({ current: gateway }, team);

  const { metadata } = expectOk(await single());
  await singleStream();

  const group = `model_group="${team.modelGroup}"`;
  const ofWorker = (line: string) => figure(workerUrl, line);
  const ofApi = (line: string) => figure(gateway.url, line);
  expect(await ofWorker(`gateway_calls_total{outcome="succeeded",streamed="false",${group}}`)).toBe(1);
  expect(await ofWorker(`gateway_calls_total{outcome="succeeded",streamed="true",${group}}`)).toBe(1);
  expect(await ofWorker('gateway_call_seconds_count{outcome="succeeded",streamed="false"}')).toBe(1);
  expect(await ofWorker('gateway_tokens_total{kind="completion"}')).toBe(14);
  expect(await ofWorker('gateway_tokens_total{kind="prompt"}')).toBe(2 * (metadata.tokens_used - 7));
  expect(await ofWorker('gateway_cost_usd_total')).toBeGreaterThan(0);
  expect(await ofWorker('gateway_jobs_total{status="completed"}')).toBe(2);
  expect(await ofWorker('gateway_credits_deducted_total')).toBe(2);
  expect(await ofApi('gateway_call_overhead_seconds_count')).toBe(1);
  expect(await ofApi('gateway_streams_open')).toBe(0);
  expect(await ofApi('gateway_requests_total{method="POST",path="/api/jobs/create-and-call",status="200"}')).toBe(1);
  expect(await ofApi('gateway_calls_total')).toBeNaN();
  expect(await ofWorker(`gateway_attempts_total{status="2xx",failure="",${group}}`)).toBe(2);
  expect(await ofWorker(`gateway_first_token_seconds_count{${group}}`)).toBe(1);
});

test('a scrape counts what is queued while every database connection for calls is taken (spec 14.4)', async () => {
  const { pool } = gateway.deps.database;
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    expect(await figure(gateway.url, 'gateway_installation_queue_depth{queue="queued_calls"}')).toBe(0);
    expect(await figure(gateway.url, 'gateway_database_connections{state="waiting"}')).toBe(0);
  } finally {
    for (const connection of taken) connection.release();
  }
});

test('the metrics port of a worker serves GET /metrics alone', async () => {
  expect((await sendRequest(workerUrl, 'get', '/')).status).toBe(404);
  expect((await sendRequest(workerUrl, 'post', '/metrics')).status).toBe(404);
});
