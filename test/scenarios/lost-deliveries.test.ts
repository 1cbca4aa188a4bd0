import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { disappearances, type Loss, terminations } from '../support/lose-workflow.ts';
import { maintain } from '../support/maintain.ts';
import '../support/quiet-temporal.ts';
import { until } from '../support/until.ts';
import { answering, closeReceivers, startReceiver } from '../webhook-delivery/receiver.ts';

/** Every way in which the workflow of a delivery is lost while it waits for its next attempt. */
const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0s,10h' },
});
const given = givenIn(gateway);

afterEach(closeReceivers);

interface Delivery {
  delivery_id: string;
  status: string;
  attempts: number;
  last_error: string | null;
}

/** Two deliveries whose first attempt has failed, and whose workflows are then lost. From here on the receiver takes them. */
async function lostDeliveries(lose: Loss) {
  let status = 500;
  const receiver = await startReceiver((response, request) => answering(status)(response, request));
  const team = await given.team();
  const webhook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  const read = async (): Promise<Delivery[]> =>
    expectOk(await as(gateway, team).get(`/api/webhooks/${webhook_id}/deliveries`)).deliveries;
  await Promise.all([given.job(team), given.job(team)]);
  const deliveries = await until(read, (all) => all.length === 2 && all.every(({ attempts }) => attempts === 1));
  const { client } = gateway.current.deps.temporal;
  await Promise.all(deliveries.map(({ delivery_id }) => lose(client, workflowId.delivery(delivery_id))));
  await gateway.current.deps.database.pool.query(
    `update webhook_deliveries set created_at = created_at - interval '1 minute' where webhook_id = $1`,
    [webhook_id],
  );
  status = 200;
  const redeliver = () => as(gateway, team).post(`/api/webhooks/deliveries/${deliveries[0]!.delivery_id}/redeliver`);
  return { read, redeliver, receiver };
}

test.each(Object.entries({ ...terminations, 'was cancelled': cancel }))(
  'a delivery whose workflow %s is exhausted, and delivered when that is requested (spec 11.12)',
  async (_, lose) => {
    const { read, redeliver } = await lostDeliveries(lose);

    await until(
      async () => {
        await maintain(gateway.current);
        return (await read()).every(({ status }) => status === 'exhausted');
      },
      Boolean,
      60_000,
    );
    const exhausted = await read();
    expectOk(await redeliver());

    for (const one of exhausted)
      expect(one).toMatchObject({ attempts: 1, last_error: "the delivery's workflow was terminated" });
    await until(async () => (await read()).some(({ status, attempts }) => status === 'delivered' && attempts === 2));
  },
  120_000,
);

test.each(Object.entries(disappearances))(
  'deliveries whose workflow %s are delivered, by request or by maintenance, once each (spec 11.12)',
  async (_, lose) => {
    const { read, redeliver, receiver } = await lostDeliveries(lose);

    expectOk(await redeliver());
    await until(
      async () => {
        await maintain(gateway.current);
        return (await read()).every(({ status }) => status === 'delivered');
      },
      Boolean,
      60_000,
    );
    await maintain(gateway.current);

    expect(receiver.requests).toHaveLength(4);
  },
  120_000,
);

async function cancel(...[client, id]: Parameters<Loss>): Promise<void> {
  await client.workflow.getHandle(id).cancel();
}
