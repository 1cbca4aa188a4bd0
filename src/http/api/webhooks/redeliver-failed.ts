import { startOf } from '../../../contracts/date-range.ts';
import { Redelivered, RedeliverFailed, WebhookParams } from '../../../contracts/webhooks.ts';
import { reopenFailedDeliveries } from '../../../db/webhooks/reopen-failed-deliveries.ts';
import { refuse } from '../../../errors.ts';
import { limitDeliveries } from '../../limits/rate-limits.ts';
import { route } from '../../route.ts';
import { auditWebhook } from './support/audit-webhook.ts';
import { getWebhookForCaller } from './support/get-webhook-for-caller.ts';

/** As many starts of workflows as this process keeps waiting; maintenance starts what it could not. */
const maxDeliveries = 1_000;

export const redeliverFailed = route(
  {
    method: 'post',
    path: '/api/webhooks/{webhook_id}/redeliver-failed',
    summary: 'Deliver again what has failed since a time',
    description:
      'Each exhausted delivery of an event since then is tried with its whole schedule again, with the same body and `webhook-id`. ' +
      'Those that wait for an attempt are not touched, so that a repetition delivers nothing twice.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'jobCommands' },
    params: WebhookParams,
    body: { schema: RedeliverFailed },
    response: Redelivered,
    errors: ['webhook_not_found', 'webhook_of_another_team', 'webhook_inactive'],
    example: { response: { redelivered: 12, remaining: 0 } },
  },
  async (context) => {
    const { deps, caller, params, body } = context;
    const webhook = await getWebhookForCaller(deps.database.entities(), caller, params.webhook_id);
    if (!webhook.is_active) throw refuse('webhook_inactive');
    const { webhook_id } = webhook;
    await limitDeliveries(context, webhook_id);
    const since = startOf(body.since);
    const { deliveryIds, remaining } = await deps.database.transaction(async (entities) => {
      const reopened = await reopenFailedDeliveries(entities, { webhook_id, since }, maxDeliveries);
      const redelivered = reopened.deliveryIds.length;
      const details = { since: since.toISOString(), redelivered };
      if (redelivered > 0) await auditWebhook(entities, context, 'redelivered_webhook', webhook, details);
      return reopened;
    });
    deps.deliveries.start(webhook.team_id, deliveryIds);
    return { redelivered: deliveryIds.length, remaining };
  },
);
