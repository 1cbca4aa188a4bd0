import { RegisteredWebhook, WebhookRegistration } from '../../../contracts/webhooks.ts';
import { Webhook } from '../../../db/entities/webhook.ts';
import { createOnce } from '../../../db/sql/create-once.ts';
import { refuse } from '../../../errors.ts';
import { requireTeam } from '../../../services/caller.ts';
import { requireLockedTeam } from '../../../services/teams/read-teams.ts';
import { newWebhookSecret, sealContext } from '../../../webhook-delivery/sign-webhook.ts';
import { limitRegistrations } from '../../limits/rate-limits.ts';
import { route } from '../../route.ts';
import { auditWebhook } from './support/audit-webhook.ts';
import { publishWebhook } from './support/publish-webhook.ts';
import { requireWebhookUrl } from './support/require-webhook-url.ts';
import { serializeWebhook } from './support/serialize-webhook.ts';

export const registerWebhook = route(
  {
    method: 'post',
    path: '/api/webhooks/register',
    summary: 'Register a webhook',
    description:
      'Each event that is named is sent to the URL, signed as Standard Webhooks 1.0 describes with the `secret`, which is shown ' +
      'in this answer and never again. The body is `{"event", "job_id", "team_id", "timestamp", "data"}`. `data` has the ' +
      '`job_type`; of a created job its `user_id`, of a started one `started_at`; of one that has ended `total_calls`, ' +
      '`failed_calls`, `total_tokens`, `total_cost_usd`, `credit_applied` and `duration_seconds`, with `error_message` when it ' +
      'failed and `reason` when it was cancelled. What is not answered with 2xx within 15 s is sent again, by default for more than a day: a ' +
      '`webhook-id` may come twice. A team may have as many webhooks as the setting `MAX_WEBHOOKS_PER_TEAM` says.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    secret: true,
    body: { schema: WebhookRegistration },
    response: RegisteredWebhook,
    errors: ['key_of_another_team', 'team_not_found', 'webhooks_at_most'],
    example: { body: { auth_header: 'Bearer token-of-the-receiver' }, response: { last_triggered_at: null } },
  },
  async (context) => {
    const { deps, caller, body, newId } = context;
    requireWebhookUrl(deps.config, body.webhook_url);
    requireTeam(caller, body.team_id);
    const most = deps.config.MAX_WEBHOOKS_PER_TEAM;
    await limitRegistrations(context);
    const webhookId = newId('webhook');
    const create = () =>
      deps.database.transaction(async (entities) => {
        // Locked, so that registrations at once count each other.
        await requireLockedTeam(entities, body.team_id);
        const others = await entities.count(Webhook, { team_id: body.team_id, webhook_id: { $ne: webhookId } });
        if (others >= most) throw refuse('webhooks_at_most', body.team_id, String(most));
        const { seal } = deps.secrets;
        const webhook = entities.create(Webhook, {
          webhook_id: webhookId,
          team_id: body.team_id,
          webhook_url: body.webhook_url,
          events: body.events,
          secret_sealed: seal(newWebhookSecret(), sealContext.secret(webhookId)),
          auth_header_sealed: body.auth_header ? seal(body.auth_header, sealContext.authHeader(webhookId)) : null,
        });
        await entities.persist(webhook).flush();
        await auditWebhook(entities, context, 'registered_webhook', webhook, { events: body.events });
        return webhook;
      });
    const webhook = await createOnce(create, () =>
      deps.database.entities().findOne(Webhook, { webhook_id: webhookId }),
    );
    // Only a request that is executed again finds its own id in use, and then it finds the webhook that it made.
    if (!webhook) throw new Error('a webhook was deleted while its registration was repeated');
    publishWebhook(deps, webhook);
    const secret = deps.secrets.open(Buffer.from(webhook.secret_sealed), sealContext.secret(webhookId));
    return { ...serializeWebhook(webhook), secret };
  },
);
