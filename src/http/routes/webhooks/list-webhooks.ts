import { WebhookList, WebhookListQuery } from '../../../contracts/webhooks.ts';
import { Webhook } from '../../../db/entities/webhook.ts';
import { route } from '../../route.ts';
import { resolveTeamId } from '../credits/support/resolve-team-id.ts';
import { requireOwnTeam } from '../teams/support/get-team-for-caller.ts';
import { serializeWebhook } from './support/serialize-webhook.ts';

export const listWebhooks = route(
  {
    method: 'get',
    path: '/api/webhooks',
    summary: 'List the webhooks of a team, oldest first',
    tag: 'Webhooks',
    auth: ['team', 'admin'],
    quota: 'lists',
    query: WebhookListQuery,
    response: WebhookList,
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async ({ deps, caller, query }) => {
    const { limit, offset } = query;
    const team_id = resolveTeamId(caller, query.team_id);
    await requireOwnTeam(deps, caller, team_id);
    const [webhooks, total] = await deps.database.reports.snapshot((entities) =>
      entities.findAndCount(Webhook, { team_id }, { orderBy: { created_at: 'asc', webhook_id: 'asc' }, limit, offset }),
    );
    return { team_id, total, webhooks: webhooks.map(serializeWebhook) };
  },
);
