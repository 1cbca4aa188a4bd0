import { asAdmin } from '../../support/as-admin.ts';
import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, type GivenTeam, givenIn } from '../../support/given.ts';
import { readAudit } from '../../support/read-audit.ts';
import { until } from '../../support/until.ts';
import { answering, closeReceivers, type Receiver, startReceiver } from '../../webhook-delivery/receiver.ts';

const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0ms,10ms' },
});
const given = givenIn(gateway);
const admin = asAdmin(gateway);

afterEach(closeReceivers);

interface Failed {
  team: GivenTeam;
  receiver: Receiver;
  webhook_id: string;
  jobs: string[];
  recover: () => void;
}

/** A webhook of which two deliveries have failed for good, and whose receiver can be made well. */
async function givenFailed(): Promise<Failed> {
  let status = 500;
  const [team, receiver] = await Promise.all([
    given.team(),
    startReceiver((response, request) => answering(status)(response, request)),
  ]);
  const webhook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const jobs = [await given.job(team), await given.job(team)];
  await until(
    () => byStatus(webhook_id),
    ({ exhausted }) => exhausted === 2,
  );
  return { team, receiver, webhook_id, jobs, recover: () => (status = 200) };
}

const byStatus = async (webhook_id: string) =>
  expectOk(await admin.get(`/api/deliveries?webhook_id=${webhook_id}`)).by_status;

test('the deliveries that match a filter are delivered again, those of one job or of a whole team, and a repetition delivers nothing twice (spec 19.79)', async () => {
  const [own, other] = await Promise.all([givenFailed(), givenFailed()]);
  const redeliver = (filter: object) => as(gateway, own.team).post('/api/deliveries/redeliver', { filter });
  own.recover();

  const one = expectOk(await redeliver({ status: 'exhausted', job_id: own.jobs[0] }));
  const rest = expectOk(await redeliver({ status: 'exhausted', from: '2020-01-01', to: null }));
  const again = expectOk(await redeliver({ status: 'exhausted', to: '2100-01-01' }));
  await until(
    () => byStatus(own.webhook_id),
    ({ delivered }) => delivered === 2,
  );

  expect([one, rest, again]).toEqual([
    { redelivered: 1, remaining: 0 },
    { redelivered: 1, remaining: 0 },
    { redelivered: 0, remaining: 0 },
  ]);
  expect(await byStatus(other.webhook_id)).toMatchObject({ exhausted: 2 });
  const entries = await readAudit(gateway.current, own.team.teamId);
  expect(entries.filter(({ action }) => action === 'redelivered_deliveries')).toHaveLength(2);
});

test('what waits for a further attempt gets it now, and is left alone for a minute after it (spec 19.79)', async () => {
  const { webhook_id, recover } = await givenFailed();
  const { pool } = gateway.current.deps.database;
  await pool.query(
    `update webhook_deliveries set status = 'pending', finished_at = null, started_at = now() where webhook_id = $1`,
    [webhook_id],
  );
  const filter = { status: 'pending', webhook_id };
  recover();

  const early = expectOk(await admin.post('/api/deliveries/redeliver', { filter }));
  await pool.query(
    `update webhook_delivery_attempts set started_at = started_at - interval '2 minutes'
      where delivery_id in (select delivery_id from webhook_deliveries where webhook_id = $1)`,
    [webhook_id],
  );
  const due = expectOk(await admin.post('/api/deliveries/redeliver', { filter }));
  await until(
    () => byStatus(webhook_id),
    ({ delivered }) => delivered === 2,
  );

  expect(early).toEqual({ redelivered: 0, remaining: 0 });
  expect(due).toEqual({ redelivered: 2, remaining: 0 });
});

test.each([
  ['without a status', { webhook_id: null }],
  ['of deliveries that succeeded', { status: 'delivered' }],
  ['with a filter that is not known', { status: 'exhausted', event: 'job.created' }],
])('a redelivery %s is 422 (spec 19.79)', async (_, filter) => {
  expect((await admin.post('/api/deliveries/redeliver', { filter })).status).toBe(422);
});

test("a team that names another team's deliveries is refused (spec 19.79)", async () => {
  const [own, other] = [await given.team(), await given.team()];

  const filter = { status: 'exhausted', team_id: other.teamId };
  const { status, body } = await as(gateway, own).post('/api/deliveries/redeliver', { filter });

  expect([status, body.code]).toEqual([403, 'key_of_another_team']);
});
