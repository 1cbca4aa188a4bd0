import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../support/given.ts';
import { readAudit } from '../support/read-audit.ts';
import { sendRequest } from '../support/send-request.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

test('many jobs of which some have ended when Temporal freezes are answered 503, and a repetition with the Idempotency-Key cancels the rest, each with one audit entry (spec 3.22)', async () => {
  await using closing = new AsyncDisposableStack();
  const temporal = await startFreezingProxy(new URL(`http://${services.temporalAddress}`));
  const current = await startGateway({ settings: { TEMPORAL_ADDRESS: new URL(temporal.url).host } });
  closing.defer(() => current.close());
  closing.defer(() => temporal.close());
  const gateway = { current };
  const team = await givenIn(gateway).team({ credits: 5 });
  const job_ids = await Promise.all(Array.from({ length: 12 }, () => givenIn(gateway).job(team)));
  const options = {
    key: current.masterKey,
    body: { job_ids },
    headers: { 'idempotency-key': unique('key') },
  };
  const cancel = () => sendRequest(current.url, 'post', '/api/jobs/cancel', options);
  const cancelled = async () => expectOk(await as(gateway, team).get('/api/jobs?status=cancelled')).total;

  const holder = await current.deps.database.pool.connect();
  await holder.query('begin');
  await holder.query('select from jobs where job_id = $1 for update', [job_ids[5]]);
  const interrupted = cancel();
  await until(async () => (await cancelled()) === 11);
  temporal.freeze();
  const answer = await interrupted;
  await holder.query('rollback');
  holder.release();
  temporal.thaw();
  await until(() => !current.deps.workerWatch.isUnavailable());
  const again = await until(cancel, ({ status }) => status === 200);

  expect(answer.status).toBe(503);
  expect(again.body).toMatchObject({ matched: 12, more: false });
  expect(again.body.cancelled + again.body.already_ended).toBe(12);
  expect(await cancelled()).toBe(12);
  for (const job of job_ids) expect(await readAudit(current, job)).toHaveLength(1);
}, 60_000);
