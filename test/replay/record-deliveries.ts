import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { answering, type Behaviour, closeReceivers, startReceiver } from '../webhooks/receiver.ts';
import { writeHistory } from './write-history.ts';

/** Like record-histories.ts, and with it, for deliveries. */
const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0s,1s,1h' },
});
const given = givenIn(gateway);
afterEach(closeReceivers);

async function record(name: string, deliveryId: string): Promise<void> {
  const handle = gateway.current.deps.temporal.client.workflow.getHandle(workflowId.delivery(deliveryId));
  writeHistory(`delivery-${name}`, await handle.fetchHistory());
}

/** An event on its way to a receiver that answers like this, once its delivery is as it is waited for. */
async function givenDelivery(behave: Behaviour, holds: (delivery: Record<string, unknown>) => boolean) {
  const [team, receiver] = await Promise.all([given.team(), startReceiver(behave)]);
  const webhook = { team_id: team.teamId, webhook_url: receiver.url, events: ['job.created'] };
  const { webhook_id } = expectOk(await as(gateway, team).post('/api/webhooks/register', webhook));
  await given.job(team);
  const reached = (condition: typeof holds) =>
    until(
      async () => expectOk(await as(gateway, team).get(`/api/webhooks/${webhook_id}/deliveries`)).deliveries[0],
      (delivery) => delivery && condition(delivery),
    );
  const { delivery_id } = await reached(holds);
  const redeliver = () => as(gateway, team).post(`/api/webhooks/deliveries/${delivery_id}/redeliver`);
  return { delivery_id: delivery_id as string, reached, redeliver };
}

const ended = ({ status }: Record<string, unknown>) => status !== 'pending';

test('delivered at once', async () => {
  const { delivery_id } = await givenDelivery(answering(200), ended);
  await record('delivered', delivery_id);
});

test('waiting for its next attempt', async () => {
  const { delivery_id } = await givenDelivery(answering(500), ({ attempts }) => attempts === 2);
  await record('waiting', delivery_id);
});

test('attempted when it was asked for, and exhausted', async () => {
  const delivery = await givenDelivery(answering(500), ({ attempts }) => attempts === 2);
  await delivery.redeliver();
  await delivery.reached(ended);
  await record('exhausted', delivery.delivery_id);
});

test('unwanted', async () => {
  const { delivery_id } = await givenDelivery(answering(410), ended);
  await record('unwanted', delivery_id);
});
