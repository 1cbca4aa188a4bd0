import { workflowId } from '../../src/domain/ids.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';
import { answering, type Behaviour, closeReceivers, startReceiver } from '../webhook-delivery/receiver.ts';
import { writeHistory } from './write-history.ts';

// Like record-jobs.ts, and with it, for deliveries.

const gateway = gatewayForTests({
  settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', WEBHOOK_RETRY_DELAYS: '0s,1s,1h' },
});
const given = givenIn(gateway);
afterEach(closeReceivers);

const handleOf = (deliveryId: string) =>
  gateway.current.deps.temporal.client.workflow.getHandle(workflowId.delivery(deliveryId));

async function record(name: string, deliveryId: string): Promise<void> {
  writeHistory(`delivery-${name}`, await handleOf(deliveryId).fetchHistory());
}

async function recordEnded(name: string, deliveryId: string): Promise<void> {
  await handleOf(deliveryId).result();
  await record(name, deliveryId);
}

/** A delivery to a receiver with this behaviour, once `holds` is true of it. */
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

test('a delivery whose first attempt succeeds', async () => {
  const { delivery_id } = await givenDelivery(answering(200), ended);
  await recordEnded('delivered', delivery_id);
});

test('a delivery that waits for its next attempt', async () => {
  const { delivery_id } = await givenDelivery(answering(500), ({ attempts }) => attempts === 2);
  await record('waiting', delivery_id);
});

test('a delivery with a requested attempt, until it is exhausted', async () => {
  const delivery = await givenDelivery(answering(500), ({ attempts }) => attempts === 2);
  await delivery.redeliver();
  await delivery.reached(ended);
  await recordEnded('exhausted', delivery.delivery_id);
});

test('a delivery that its receiver refuses for good', async () => {
  const { delivery_id } = await givenDelivery(answering(410), ended);
  await recordEnded('unwanted', delivery_id);
});
