import { boundsOf } from '../../../contracts/date-range.ts';
import { RedeliveredMany, RedeliverMany } from '../../../contracts/webhooks.ts';
import { redeliverMany as redeliver } from '../../../services/webhooks/redeliver-many.ts';
import { limitDeliveries } from '../../limits/take-limits.ts';
import { route } from '../../route.ts';

export const redeliverMany = route(
  {
    operationId: 'redeliverEvents',
    method: 'post',
    path: '/api/deliveries/redeliver',
    summary: 'Deliver again what matches a filter',
    description:
      'Deliveries to webhooks that are switched on, the oldest first, at most 1,000 that are exhausted or 200 that are pending: repeat the ' +
      'request while `remaining` is not 0. A pending delivery is left alone for a minute after an attempt.',
    tag: 'Webhooks',
    access: { audience: ['team', 'admin'], openToTeamSessions: true },
    limits: { place: 'workflowCommands' },
    body: { schema: RedeliverMany.meta({ example: { filter: { status: 'exhausted', from: '2026-01-31' } } }) },
    response: RedeliveredMany.meta({ example: { redelivered: 12, remaining: 0 } }),
    errors: ['key_of_another_team'],
  },
  async (context) => {
    const { from, to, ...filter } = context.body.filter;
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
    const bounds = boundsOf({ from: from ?? undefined, to: to ?? undefined });
    return redeliver(context, { status: filter.status, ...given, ...bounds }, (holder) =>
      limitDeliveries(context, holder),
    );
  },
);
