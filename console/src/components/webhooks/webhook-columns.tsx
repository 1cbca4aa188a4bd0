import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../api/types.ts';
import { Missing } from '../ui/money.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table/column.ts';
import { Time } from '../ui/time.tsx';
import { eventNames } from './webhook-events.ts';
import { WebhookHolder } from './webhook-holder.tsx';
import { stateOf } from './webhook-state.ts';

export const webhookColumns = (seesTeams: boolean): Column<Webhook>[] => [
  { id: 'state', header: 'Status', width: 110, isAlways: true, cell: (webhook) => <Status of={stateOf(webhook)} /> },
  {
    id: 'url',
    header: 'Receiver',
    isAlways: true,
    cell: ({ webhook_id, webhook_url }) => (
      <Link to="/webhooks/$webhookId" params={{ webhookId: webhook_id }} title={webhook_url}>
        {webhook_url}
      </Link>
    ),
  },
  ...(seesTeams
    ? [
        {
          id: 'team',
          header: 'Team',
          from: 720 as const,
          cell: ({ team_id }: Webhook) => <WebhookHolder teamId={team_id} />,
        },
      ]
    : []),
  { id: 'events', header: 'Events', from: 1024, cell: ({ events }) => eventNames(events) },
  {
    id: 'code',
    header: 'Last answer',
    width: 96,
    align: 'end',
    from: 720,
    cell: ({ last_status_code, last_triggered_at }) =>
      last_status_code ?? <Missing why={last_triggered_at ? 'no answer' : 'nothing was sent yet'} />,
  },
  {
    id: 'failing',
    header: 'Failing since',
    width: 150,
    from: 720,
    cell: ({ failing_since }) => <Time at={failing_since} missing="does not fail" />,
  },
  {
    id: 'triggered',
    header: 'Last attempt',
    width: 150,
    from: 720,
    cell: ({ last_triggered_at }) => <Time at={last_triggered_at} missing="none yet" />,
  },
];
