import { RegisteredWebhook, WebhookRegistration } from '../../../contracts/webhooks.ts';
import { registerWebhook as register } from '../../../services/webhooks/register-webhook.ts';
import { limitRegistrations } from '../../limits/take-limits.ts';
import { route } from '../../route.ts';
import { serializeWebhook } from './serialize-webhook.ts';

export const registerWebhook = route(
  {
    operationId: 'registerWebhook',
    method: 'post',
    path: '/api/webhooks/register',
    summary: 'Register a webhook',
    description:
      'Each event that is named is sent to the URL, signed as Standard Webhooks 1.0 describes with the `secret`, which is shown ' +
      'in this answer and never again. The body is `{"event", "job_id", "team_id", "timestamp", "data"}`. `data` has the ' +
      '`job_type`, `external_task_id`, `user_id` and `metadata` of the job (null in place of metadata of more than 2,048 bytes), of a ' +
      'started one also `started_at`, of one that has ended `total_calls`, ' +
      '`failed_calls`, `total_tokens`, `total_cost_usd`, `credit_applied` and `duration_seconds`, with `credits_charged` when it was ' +
      'completed or its policy is `answered`, `error_message` when it failed and `reason` when it was cancelled. What is not answered with 2xx within 15 s is sent again, by default for more than a day: a ' +
      '`webhook-id` may come twice. A team may have as many webhooks as the setting `MAX_WEBHOOKS_PER_TEAM` says, and so may the installation. ' +
      'A webhook of the installation is sent what needs attention (`GET /api/attention`): `team_id` null, registered by an admin.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    secret: true,
    body: { schema: WebhookRegistration.meta({ example: { auth_header: 'Bearer token-of-the-receiver' } }) },
    response: RegisteredWebhook.meta({ example: { last_triggered_at: null } }),
    errors: ['role_insufficient', 'key_of_another_team', 'team_not_found', 'webhooks_at_most'],
  },
  async (context) => {
    const { webhook, secret } = await register(context, context.body, () => limitRegistrations(context));
    return { ...serializeWebhook(webhook), secret };
  },
);
