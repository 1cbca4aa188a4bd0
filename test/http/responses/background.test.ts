import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn, unique } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';
import { readResponseEvents, respondWith, responsesOf } from './respond.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
afterEach(closeReceivers);
const given = givenIn(gateway);

test('a response in the background is queued at once and completed once, with its job (spec 29.18)', async () => {
  const team = await given.team({ models: ['sim-slow-500-tokens-7'] });
  const answer = await respondWith(gateway, team)({ background: true });

  expect(expectOk(answer)).toMatchObject({ status: 'queued', background: true, output: [], usage: null });

  const { id } = answer.body;
  const events = readResponseEvents(await responsesOf(gateway, team).get(id, '?stream=true'));
  expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
    'response.created',
    'response.queued',
    'response.in_progress',
  ]);
  expect(expectOk(await responsesOf(gateway, team).get(id))).toEqual(events.at(-1)!.response);
  const job = expectOk(await as(gateway, team).get(`/api/jobs/${answer.headers.get('x-job-id')}`));
  expect(job).toMatchObject({ status: 'completed' });
});

test('a stream in the background has the events of every later reader (spec 29.17, spec 29.18)', async () => {
  const team = await given.team({ models: ['sim-tokens-30-every-10'] });
  const live = readResponseEvents(await respondWith(gateway, team)({ background: true, stream: true }));
  const { id } = live.at(-1)!.response as { id: string };

  expect(live[1]).toMatchObject({ type: 'response.queued', response: { status: 'queued' } });
  expect(readResponseEvents(await responsesOf(gateway, team).get(id, '?stream=true'))).toEqual(live);
});

test('two readers of a running response, one from event 10 on, receive the same events (spec 29.17)', async () => {
  const team = await given.team({ models: ['sim-tokens-40-every-20'] });
  const { id } = expectOk(await respondWith(gateway, team)({ background: true }));
  const { get } = responsesOf(gateway, team);

  const [all, late] = await Promise.all([get(id, '?stream=true'), get(id, '?stream=true&starting_after=10')]);

  expect(readResponseEvents(late)).toEqual(readResponseEvents(all).slice(11));
});

test('a failure in the background is a response with an error, read with 200 (spec 29.18)', async () => {
  const team = await given.team({ models: ['sim-fail-400'] });
  const { id } = expectOk(await respondWith(gateway, team)({ background: true }));
  const events = readResponseEvents(await responsesOf(gateway, team).get(id, '?stream=true'));

  expect(events.slice(-2).map(({ type }) => type)).toEqual(['response.failed', 'error']);
  expect(expectOk(await responsesOf(gateway, team).get(id))).toMatchObject({
    status: 'failed',
    error: { code: 'invalid_prompt' },
  });
});

test('an Idempotency-Key repeats the answer and makes one call, streamed or not (spec 29.21)', async () => {
  const team = await given.team({ models: ['sim-tokens-5'] });
  for (const fields of [{}, { stream: true }, { background: true }, { background: true, stream: true }]) {
    const key = { 'idempotency-key': unique('key') };
    const [first, second] = [
      await respondWith(gateway, team)(fields, key),
      await respondWith(gateway, team)(fields, key),
    ];

    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  }
  expect(expectOk(await as(gateway, team).get('/api/jobs')).jobs).toHaveLength(4);
});

test('background without store is refused (spec 29.6)', async () => {
  const team = await given.team();
  const refused = await respondWith(gateway, team)({ background: true, store: false });

  expect(refused.body.error).toMatchObject({ code: 'unsupported_value', param: 'background' });
});

test('cancel ends a response in the background with what was written, once, and another one not at all (spec 29.18)', async () => {
  const team = await given.team({ models: ['sim-tokens-400-every-20'] });
  const { get, cancel } = responsesOf(gateway, team);
  const { id } = expectOk(await respondWith(gateway, team)({ background: true }));
  for (let now = { output: [] }; !now.output.length; ) now = expectOk(await get(id));

  const cancelled = expectOk(await cancel(id));
  const events = readResponseEvents(await get(id, '?stream=true'));

  expect(cancelled).toMatchObject({
    status: 'cancelled',
    output: [{ content: [{ text: expect.stringMatching(/\w/) }] }],
  });
  expect(expectOk(await cancel(id))).toEqual(cancelled);
  expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: cancelled });
  const waited = expectOk(await respondWith(gateway, team)({ max_output_tokens: 3 }));
  const refused = await cancel(waited.id);
  expect([refused.status, refused.body.error.code]).toEqual([400, 'response_not_in_background']);
  expect((await cancel('resp_1')).body.error.code).toBe('response_not_found');
  expectOk(await respondWith(gateway, team)({ previous_response_id: id, max_output_tokens: 3 }));
});

test('a response that was cancelled before it began has no answer (spec 29.18)', async () => {
  const team = await given.team({ models: ['sim-slow-20000'] });
  const { id } = expectOk(await respondWith(gateway, team)({ background: true }));

  expect(expectOk(await responsesOf(gateway, team).cancel(id))).toMatchObject({ status: 'cancelled' });
});

test('the webhook event of a response in the background has its id (spec 29.18)', async () => {
  const receiver = await startReceiver();
  const team = await given.team({ models: ['sim-tokens-3'] });
  const body = { team_id: team.teamId, webhook_url: `${receiver.url}/hook`, events: ['call.completed'] };
  expectOk(await as(gateway, team).post('/api/webhooks/register', body));

  const { id } = expectOk(await respondWith(gateway, team)({ background: true }));

  await until(() => receiver.requests.length > 0);
  expect(JSON.parse(receiver.requests[0]!.body)).toMatchObject({ event: 'call.completed', data: { response_id: id } });
});
