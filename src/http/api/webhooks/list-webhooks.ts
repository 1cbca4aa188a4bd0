import { WebhookList, WebhookListQuery, WebhookWithFailures } from '../../../contracts/webhooks.ts';
import { listWebhooks as list } from '../../../db/webhooks/list-webhooks.ts';
import { requireOwnTeam } from '../../../services/teams/read-teams.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeWebhook } from './support/serialize-webhook.ts';

export const listWebhooks = route(
  {
    method: 'get',
    path: '/api/webhooks',
    summary: 'List the webhooks of a team, or of all, oldest or failing first',
    description: 'A team sees its own. An admin sees those of the team that is named, or of all teams.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    query: WebhookListQuery,
    response: WebhookList,
    csv: { name: 'webhooks', row: WebhookWithFailures, rows: ({ webhooks }) => webhooks },
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async ({ deps, caller, query }) => {
    const team_id = query.team_id ?? (caller.kind === 'team' ? caller.teamId : undefined);
    if (team_id !== undefined) await requireOwnTeam({ deps, caller }, team_id);
    const { order = team_id === undefined ? 'failing' : 'oldest' } = query;
    const { counted, rows, next } = await list(deps.database, { team_id, order }, query);
    const { total, failing, inactive } = counted!;
    const isDetailed = order === 'failing';
    return {
      ...(team_id !== undefined && { team_id }),
      total,
      ...(isDetailed && { failing, inactive }),
      webhooks: rows.map((row) => ({
        ...serializeWebhook(row),
        ...(isDetailed && {
          failing_since: row.failing_since?.toISOString() ?? null,
          last_status_code: row.last_status_code,
        }),
      })),
      ...nextCursorIfPaged(query, next),
    };
  },
);
