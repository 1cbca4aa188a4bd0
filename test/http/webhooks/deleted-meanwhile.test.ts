import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn, hello } from '../../support/given.ts';
import { besideUncommitted } from '../../support/locks.ts';
import { readAudit } from '../../support/read-audit.ts';
import type { Answer } from '../../support/send-request.ts';
import { until } from '../../support/until.ts';

// Nobody is there: a delivery is exhausted at once.
const gateway = gatewayForTests({ settings: { WEBHOOK_RETRY_DELAYS: '0s' } });
const given = givenIn(gateway);

const register = async (team: GivenTeam, events: string[]): Promise<string> => {
  const webhook = { team_id: team.teamId, webhook_url: 'https://hooks.example.com/jobs', events };
  return expectOk(await as(gateway, team).post('/api/webhooks/register', webhook)).webhook_id;
};

const deleting = (webhookId: string, request: () => Promise<Answer>) =>
  besideUncommitted(
    gateway.current,
    { sql: 'delete from webhooks where webhook_id = $1', values: [webhookId], waiting: 1 },
    request,
  );

const eventsOf = async (team: GivenTeam, webhookId: string): Promise<string[]> => {
  const log = expectOk(await as(gateway, team).get(`/api/webhooks/${webhookId}/deliveries`));
  return log.deliveries.map(({ event }: { event: string }) => event);
};

test.each([
  ['a job', '/api/jobs/create', {}],
  ['a single-call job', '/api/jobs/create-and-call', { messages: hello }],
])('%s that is created while a webhook is deleted is delivered to the remaining webhook', async (_, path, fields) => {
  const team = await given.team();
  const [going, staying] = [await register(team, ['job.created']), await register(team, ['job.created'])];
  const job = { team_id: team.teamId, job_type: 'report', model: team.modelGroup, ...fields };

  expectOk(await deleting(going, () => as(gateway, team).post(path, job)));

  expect(await eventsOf(team, staying)).toEqual(['job.created']);
});

test('a job that ends while a webhook is deleted is delivered to the remaining webhook', async () => {
  const team = await given.team();
  const job = await given.job(team);
  const [going, staying] = [await register(team, ['job.completed']), await register(team, ['job.completed'])];

  expectOk(await deleting(going, () => as(gateway, team).complete(job)));

  expect(await eventsOf(team, staying)).toEqual(['job.completed']);
});

test('a test of a webhook that is deleted meanwhile is a 404', async () => {
  const team = await given.team();
  const going = await register(team, ['job.created']);

  const tested = await deleting(going, () => as(gateway, team).post(`/api/webhooks/${going}/test`));

  expect(tested).toMatchObject({ status: 404, body: { detail: `Webhook '${going}' not found` } });
});

test.each<[string, (team: GivenTeam, webhookId: string) => Promise<Answer>]>([
  ['changed', (team, id) => as(gateway, team).patch(`/api/webhooks/${id}`, { is_active: 0 })],
  ['deleted again', (team, id) => as(gateway, team).delete(`/api/webhooks/${id}`)],
])('a webhook that is %s while it is deleted is a 404', async (_, send) => {
  const team = await given.team();
  const going = await register(team, ['job.created']);

  const answer = await deleting(going, () => send({ ...team, key: gateway.current.masterKey }, going));

  expect(answer).toMatchObject({ status: 404, body: { detail: `Webhook '${going}' not found` } });
  expect((await readAudit(gateway.current, going)).map(({ action }) => action)).toEqual(['registered_webhook']);
});

test('a redelivery to a webhook that is deleted meanwhile is a 404', async () => {
  const team = await given.team();
  const going = await register(team, ['job.created']);
  await given.job(team);
  const { delivery_id } = await until(
    async () => expectOk(await as(gateway, team).get(`/api/webhooks/${going}/deliveries`)).deliveries[0],
    (delivery) => delivery?.status === 'exhausted',
  );

  const answer = await deleting(going, () =>
    as(gateway, team).post(`/api/webhooks/deliveries/${delivery_id}/redeliver`),
  );

  expect(answer.status).toBe(404);
});
