import { boundsOf } from '../../../contracts/date-range.ts';
import { Deliveries, DeliveriesQuery, DeliveryOfTeam } from '../../../contracts/webhooks.ts';
import { listDeliveries } from '../../../services/webhooks/read-deliveries.ts';
import { nextCursor } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeDeliveryOfTeam } from './serialize-webhook.ts';

export const listAllDeliveries = route(
  {
    operationId: 'listDeliveries',
    method: 'get',
    path: '/api/deliveries',
    summary: 'List the deliveries to all webhooks, newest first, with their number by status',
    description: 'A team sees those to its own webhooks, an admin those of every team.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'] },
    query: DeliveriesQuery,
    limits: { rate: 'management', place: 'lists' },
    response: Deliveries.meta({ example: { by_status: { pending: 0, delivered: 1, exhausted: 0 } } }),
    csv: { name: 'deliveries', row: DeliveryOfTeam, rows: ({ deliveries }) => deliveries },
    errors: ['key_of_another_team'],
  },
  async (context) => {
    const { team_id, webhook_id, job_id, status, ...query } = context.query;
    const selection = { ...boundsOf(query), team_id, webhook_id, job_id, status };
    const { counted, rows, next } = await listDeliveries(context, selection, query);
    return {
      total: counted?.total ?? null,
      by_status: counted,
      deliveries: rows.map(serializeDeliveryOfTeam),
      next_cursor: nextCursor(next),
    };
  },
);
