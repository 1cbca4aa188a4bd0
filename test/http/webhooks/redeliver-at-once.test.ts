import { gatewayForTests } from '../../support/gateway.ts';
import { as, expectOk, givenIn } from '../../support/given.ts';
import { until } from '../../support/until.ts';
import { answering, closeReceivers, startReceiver } from '../../webhook-delivery/receiver.ts';

/** One attempt, so that the workflow of a delivery ends with it. */
const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0ms' },
});
const given = givenIn(gateway);

afterEach(closeReceivers);

type Request = (webhookId: string) => [path: string, body: object];
const filter: Request = () => ['/api/deliveries/redeliver', { filter: { status: 'exhausted' } }];
const ofWebhook: Request = (id) => [`/api/webhooks/${id}/redeliver-failed`, { since: '2020-01-01T00:00:00Z' }];

test.each([
  ['of a filter', filter],
  ['of a webhook', ofWebhook],
])(
  'a delivery that is requested again with all %s in the moment in which it has failed is delivered, although its workflow has not ended (spec 11.12, spec 19.79)',
  async (_, requestFor) => {
    let status = 500;
    const receiver = await startReceiver((response, request) => answering(status)(response, request));
    const { pool } = gateway.current.deps.database;
    // The workflow ends a few milliseconds after the record: not each round is in time.
    for (let round = 0; round < 5; round += 1) {
      status = 500;
      const team = await given.team();
      const webhook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
      const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
      const withStatus = async (of: string) => {
        const sql = 'select from webhook_deliveries where webhook_id = $1 and status = $2';
        return (await pool.query(sql, [webhook_id, of])).rowCount;
      };
      await given.job(team);
      while ((await withStatus('exhausted')) === 0);
      status = 200;

      const answer = await as(gateway, team).post(...requestFor(webhook_id));

      expect(expectOk(answer)).toMatchObject({ redelivered: 1, remaining: 0 });
      await until(async () => (await withStatus('delivered')) === 1);
    }
  },
  60_000,
);
