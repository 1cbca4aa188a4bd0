import { WebhookList, WebhookListQuery, WebhookWithFailures } from '../../../contracts/webhooks.ts';
import { listWebhooks as list } from '../../../services/webhooks/read-webhooks.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeWebhook, serializeWebhookWithFailures } from './serialize-webhook.ts';

export const listWebhooks = route(
  {
    operationId: 'listWebhooks',
    method: 'get',
    path: '/api/webhooks',
    summary: 'List the webhooks of a team, or of all, oldest or failing first',
    description:
      'A team sees its own. An admin sees those of the team that is named, or of all teams and of the installation.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    query: WebhookListQuery,
    response: WebhookList,
    csv: { name: 'webhooks', row: WebhookWithFailures, rows: ({ webhooks }) => webhooks },
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => {
    const { query } = context;
    const { team_id, order, counted, rows, next } = await list(context, query);
    const { total, failing, inactive } = counted!;
    const isDetailed = order === 'failing';
    return {
      ...(team_id !== undefined && { team_id }),
      total,
      ...(isDetailed && { failing, inactive }),
      webhooks: rows.map((row) =>
        isDetailed ? serializeWebhookWithFailures(row, row.last_status_code) : serializeWebhook(row),
      ),
      ...nextCursorIfPaged(query, next),
    };
  },
);
