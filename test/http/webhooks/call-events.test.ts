import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { closeReceivers, type Receiver, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);

const asynchronously = { prefer: 'respond-async' };
const callEvents = ['call.completed', 'call.failed'];

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(closeReceivers);

async function givenTeam(model: string, events = callEvents): Promise<GivenTeam> {
  const team = await given.team({ models: [model] });
  const body = { team_id: team.teamId, webhook_url: `${receiver.url}/hook`, events };
  expectOk(await as(gateway, team).post('/api/webhooks/register', body));
  return team;
}

const received = () => receiver.requests.map(({ body }) => JSON.parse(body));
const firstReceived = async () => {
  await until(() => receiver.requests.length > 0);
  return received()[0];
};
/** The events in the record. */
const recorded = async ({ teamId }: GivenTeam): Promise<{ event: string; call_id: string }[]> => {
  const { rows } = await gateway.current.deps.database.pool.query(
    `select d.event, d.body::jsonb #>> '{data,call_id}' as call_id
       from webhook_deliveries d join webhooks w using (webhook_id) where w.team_id = $1`,
    [teamId],
  );
  return rows;
};
const read = async (team: GivenTeam, job: string, call: string, wait = 30) =>
  expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?wait=${wait}`));

test.each([
  ['not streamed', 'call'],
  ['streamed', 'stream'],
] as const)(
  'an asynchronous call that is %s publishes its end once, with its figures and without a text (spec 26.6, money 5.4)',
  async (_, make) => {
    const team = await givenTeam('sim-slow-300');
    const order = { external_task_id: 'order-1 ✓', user_id: 'user-7', metadata: { cart: [1, null] } };
    const job = await given.job(team, order);

    const { call_id } = (await as(gateway, team)[make](job, { purpose: 'draft' }, asynchronously)).body;

    const event = await firstReceived();
    const { total_tokens, latency_ms } = await read(team, job, call_id);
    expect(event).toEqual({
      event: 'call.completed',
      job_id: job,
      team_id: team.teamId,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { job_type: 'report', ...order, call_id, purpose: 'draft', total_tokens, latency_ms, error: null },
    });
    expect(total_tokens).toBeGreaterThan(0);
    expectOk(await as(gateway, team).complete(job));
    expect(await recorded(team)).toEqual([{ event: 'call.completed', call_id }]);
  },
);

test('an asynchronous call that fails publishes its error (spec 26.6)', async () => {
  const team = await givenTeam('sim-fail-400');
  const job = await given.job(team);

  const { call_id } = (await as(gateway, team).call(job, {}, asynchronously)).body;

  const { event, data } = await firstReceived();
  const { error, total_tokens } = await read(team, job, call_id);
  expect([event, data]).toEqual([
    'call.failed',
    expect.objectContaining({ call_id, purpose: null, error, total_tokens }),
  ]);
});

test('an asynchronous call of a cancelled job publishes that it has failed, once (spec 26.6)', async () => {
  const team = await givenTeam('sim-slow-20000');
  const job = await given.job(team);
  const { call_id } = (await as(gateway, team).call(job, {}, asynchronously)).body;
  await until(async () => (await read(team, job, call_id, 0)).status === 'running');

  expectOk(await as(gateway, team).post(`/api/jobs/${job}/cancel`));

  expect(await firstReceived()).toMatchObject({ event: 'call.failed', data: { call_id, error: 'cancelled' } });
  expect(await recorded(team)).toEqual([{ event: 'call.failed', call_id }]);
});

test('the end of a single-call job and of its asynchronous call are an event each (spec 26.6)', async () => {
  const team = await givenTeam('sim-ok', ['job.completed', ...callEvents]);

  const { job_id, call_id } = (await as(gateway, team).single({}, asynchronously)).body;

  await until(() => receiver.requests.length === 2);
  const byName = Object.fromEntries(received().map((event) => [event.event, event]));
  expect(Object.keys(byName).sort()).toEqual(['call.completed', 'job.completed']);
  expect(byName['call.completed']).toMatchObject({ job_id, data: { call_id } });
});

test('calls whose client waits, a call that is refused, and one that a wait has answered in time: only the last has an event (spec 26.6)', async () => {
  const team = await givenTeam('sim-slow-2000');
  const job = await given.job(team);
  expectOk(await as(gateway, team).call(job));
  const answered = await as(gateway, team).call(job, {}, { prefer: 'respond-async, wait=30' });
  const running = as(gateway, team).call(job);
  await until(async () => {
    const { calls } = expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls`));
    return calls.some(({ status }: { status: string }) => status === 'running');
  });
  await as(gateway, team).post(`/api/jobs/${job}/complete`, { status: 'completed' }, asynchronously);

  expect((await as(gateway, team).call(job, {}, asynchronously)).status).toBe(409);
  expectOk(await running);

  expect(await recorded(team)).toEqual([{ event: 'call.completed', call_id: expectOk(answered).call_id }]);
});

test('an asynchronous call that is stopped has the event of one that has succeeded (spec 26.10)', async () => {
  const team = await givenTeam('sim-tokens-400-every-25');
  const job = await given.job(team);
  const accepted = await as(gateway, team).stream(job, {}, { prefer: 'respond-async' });

  expectOk(await as(gateway, team).post(`/api/jobs/${job}/calls/${accepted.body.call_id}/stop`));

  const event = await firstReceived();
  expect([event.event, JSON.stringify(event)]).toEqual([
    'call.completed',
    expect.stringContaining(accepted.body.call_id),
  ]);
});
