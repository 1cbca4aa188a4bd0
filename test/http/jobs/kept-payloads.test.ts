import { createHash, randomUUID } from 'node:crypto';
import { closeCall } from '../../../src/db/calls/close-call.ts';
import { insertJob } from '../../../src/db/jobs/insert-job.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, unique } from '../../support/given.ts';
import { maintain } from '../../support/maintain.ts';
import { insertUnsentCall, newJob } from '../../support/unsent-work.ts';

const gateway = gatewayForTests({ settings: { PAYLOAD_KEEP_BYTES: '2000', STORED_BYTES_PER_DAY: '40000' } });
const given = givenIn(gateway);

const pool = () => gateway.current.deps.database.pool;
const messages = (characters: number) => [{ role: 'user', content: 'ä'.repeat(characters / 2) }];
const textsOf = async (team: GivenTeam, job: string, call: string) =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?include=request,response`));
const notKept = { not_kept: { bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } };

test('of a request longer than PAYLOAD_KEEP_BYTES the length and SHA-256 are kept, and the upstream had all of it (spec 17.16)', async () => {
  const model = `sim-ok-as-${unique('long')}`;
  const team = await given.team({ models: [model] });
  const job = await given.job(team);

  const { call_id } = expectOk(await as(gateway, team).call(job, { messages: messages(6_000) }));

  const { request, response } = await textsOf(team, job, call_id);
  expect(request).toEqual(notKept);
  expect(request.not_kept.bytes).toBeGreaterThan(6_000);
  expect(response).toMatchObject({ content: expect.any(String) });
  const [sent] = gateway.current.simulator.requestsFor({ model });
  const { model: _, ...body } = sent!.body as Record<string, unknown>;
  expect(body).toMatchObject({ messages: messages(6_000) });
  const stored = JSON.stringify(body);
  expect(request.not_kept).toEqual({
    bytes: Buffer.byteLength(stored),
    sha256: createHash('sha256').update(stored).digest('hex'),
  });
});

test('a long answer is repeated for a day, and then its length and SHA-256 are kept (spec 17.16)', async () => {
  const team = await given.team({ models: ['sim-echo'] });
  const job = await given.job(team);
  const headers = { 'idempotency-key': randomUUID() };
  const call = () => as(gateway, team).call(job, { messages: messages(5_000) }, headers);
  const first = expectOk(await call());
  await maintain(gateway.current);
  const kept = await textsOf(team, job, first.call_id);

  expect(expectOk(await call())).toEqual(first);
  expect(kept.response).toMatchObject({ content: expect.any(String) });
  await pool().query(`update call_payloads set created_at = now() - interval '25 hours' where call_id = $1`, [
    first.call_id,
  ]);
  await maintain(gateway.current);

  expect((await textsOf(team, job, first.call_id)).response).toEqual(notKept);
  expect(expectOk(await as(gateway, team).complete(job))).toMatchObject({ status: 'completed' });
});

test('above STORED_BYTES_PER_DAY requests are kept by length and SHA-256, and calls and charges go on (spec 9.10)', async () => {
  const team = await given.team({ credits: 5 });
  const job = await given.job(team);
  const calls: string[] = [];
  for (let n = 0; n < 30; n++)
    calls.push(expectOk(await as(gateway, team).call(job, { messages: messages(1_600) })).call_id);

  const requests = await Promise.all(calls.map(async (call) => (await textsOf(team, job, call)).request));

  expect(requests[0]).toMatchObject({ messages: messages(1_600) });
  expect(requests.at(-1)).toEqual(notKept);
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({
    credit_applied: true,
    total_calls: 30,
  });
});

test('the request of a call that no worker has started is kept only if it is short (spec 17.16)', async () => {
  const { database } = gateway.current.deps;
  const team = await given.team();
  const job = newJob(team);
  await insertJob(database, job);
  const [long, short] = [
    await insertUnsentCall(gateway.current, team, job.job_id),
    await insertUnsentCall(gateway.current, team, job.job_id),
  ];
  const text = JSON.stringify({ messages: messages(1_600) });
  await pool().query('update call_payloads set request = $2 where call_id = $1', [long, text]);

  for (const call of [long, short]) await closeCall(database, call, 'refused', 'completed');

  const { request } = await textsOf(team, job.job_id, long);
  expect(request).toEqual({
    not_kept: { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') },
  });
  expect((await textsOf(team, job.job_id, short)).request).toHaveProperty('messages');
});

describe('metadata counts against STORED_BYTES_PER_DAY (spec 9.10)', () => {
  const metadata = { text: 'x'.repeat(6_000) };
  const create = (team: GivenTeam, fields: Record<string, unknown>) =>
    as(gateway, team).post('/api/jobs/create', { team_id: team.teamId, job_type: 'report', ...fields });

  test('above it jobs and metadata are refused until the day ends, jobs are completed, and other teams are served', async () => {
    const [team, other] = await Promise.all([given.team(), given.team()]);
    const job = await given.job(team, { metadata });

    const refused = await create(team, { metadata });
    const changed = await as(gateway, team).patch(`/api/jobs/${job}/metadata`, { metadata });
    const called = await as(gateway, team).single({ job_metadata: metadata });
    const completed = await as(gateway, team).complete(job, 'completed', { metadata });
    const without = await create(team, {});

    for (const answer of [refused, changed, called, without]) {
      expect(answer).toMatchObject({
        status: 429,
        body: { detail: 'Rate limit exceeded: STORED_BYTES_PER_DAY (40000)' },
      });
      const retryAfter = Number(answer.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(86_400);
    }
    expect(expectOk(completed)).toMatchObject({ status: 'completed' });
    expectOk(await create(other, { metadata }));
    expectOk(await as(gateway, team).single());
  });

  test('short metadata counts nothing, and a job that is created without a call 1 KiB', async () => {
    const team = await given.team();
    for (let n = 0; n < 10; n++) expectOk(await create(team, { metadata: { text: 'x'.repeat(400) } }));
    expectOk(await create(team, { metadata }));
  });
});

test('an answer that is not stored because the team has stored too much is repeated by its record (spec 10.9)', async () => {
  const team = await given.team({ models: ['sim-echo'] });
  const job = await given.job(team);
  const call = (key: string) => as(gateway, team).call(job, { messages: messages(9_000) }, { 'idempotency-key': key });
  const keys = Array.from({ length: 6 }, () => randomUUID());
  const first = [];
  for (const key of keys) first.push(expectOk(await call(key)));
  const { rows } = await pool().query('select count(*)::int as stored from idempotency_keys where status is not null');

  const again = [];
  for (const key of keys) again.push(expectOk(await call(key)));

  expect(rows[0].stored).toBeLessThan(6);
  expect(again).toEqual(first);
  expect(expectOk(await as(gateway, team).complete(job)).costs).toMatchObject({ total_calls: 6 });
});
