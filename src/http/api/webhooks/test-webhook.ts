import { DeliveryResponse, WebhookParams } from '../../../contracts/webhooks.ts';
import { isForeignKeyViolation } from '../../../db/connection/failures.ts';
import { WebhookDelivery } from '../../../db/entities/webhook.ts';
import { createOnce } from '../../../db/sql/create-once.ts';
import { refuse } from '../../../errors.ts';
import { limitDeliveries } from '../../limits/rate-limits.ts';
import { route } from '../../route.ts';
import { getWebhookForCaller } from './support/get-webhook-for-caller.ts';
import { publishWebhook } from './support/publish-webhook.ts';
import { serializeDelivery } from './support/serialize-webhook.ts';

/** A receiver expects a text as the job id, in every body: `spec 11.6`. */
const noJob = '00000000-0000-0000-0000-000000000000';

/** In the example: a delivery before its first attempt. */
const untried = { status: 'pending', attempts: 0, last_status_code: null, finished_at: null };

export const testWebhook = route(
  {
    method: 'post',
    path: '/api/webhooks/{webhook_id}/test',
    summary: 'Send a `webhook.test` event',
    description: 'Signed and repeated like any other event, whatever events the webhook is registered for.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    limits: { place: 'jobCommands' },
    params: WebhookParams,
    response: DeliveryResponse,
    errors: ['webhook_not_found', 'webhook_of_another_team', 'webhook_inactive'],
    example: {
      response: {
        ...untried,
        event: 'webhook.test',
        job_id: null,
        payload: {
          event: 'webhook.test',
          job_id: noJob,
          team_id: 'acme-research',
          timestamp: '2026-01-31T09:30:00.000Z',
          data: { webhook_id: '71d3a9e4-8c05-4b6f-a217-5fe0c49b82d6' },
        },
      },
    },
  },
  async (context) => {
    const { deps, caller, params, newId } = context;
    const entities = deps.database.entities();
    const webhook = await getWebhookForCaller(entities, caller, params.webhook_id);
    if (!webhook.is_active) throw refuse('webhook_inactive');
    await limitDeliveries(context, webhook.webhook_id);
    const deliveryId = newId('delivery');
    const { team_id, webhook_id } = webhook;
    const payload = {
      event: 'webhook.test',
      job_id: noJob,
      team_id,
      timestamp: new Date().toISOString(),
      data: { webhook_id },
    };
    const create = async () => {
      const delivery = entities.create(WebhookDelivery, {
        delivery_id: deliveryId,
        webhook,
        event: payload.event,
        body: JSON.stringify(payload),
      });
      await entities.persist(delivery).flush();
      return delivery;
    };
    const findOwn = () => deps.database.entities().findOne(WebhookDelivery, { delivery_id: deliveryId });
    const delivery = await createOnce(create, findOwn).catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error;
    });
    if (!delivery) throw refuse('webhook_not_found', webhook_id);
    deps.deliveries.start(team_id, [deliveryId]);
    publishWebhook(deps, webhook);
    return serializeDelivery(delivery);
  },
);
