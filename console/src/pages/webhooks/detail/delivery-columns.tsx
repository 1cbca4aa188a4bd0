import { Link } from '@tanstack/react-router';
import type { DeliveryOfTeam } from '../../../api/types.ts';
import { Count } from '../../../components/ui/count.tsx';
import { Id, shortId } from '../../../components/ui/id.tsx';
import { Missing } from '../../../components/ui/money.tsx';
import { Status } from '../../../components/ui/status.tsx';
import type { Column } from '../../../components/ui/table/column.ts';
import { Time } from '../../../components/ui/time.tsx';

/** The deliveries of a webhook. */
export const deliveryColumns: Column<DeliveryOfTeam>[] = [
  { id: 'status', header: 'Status', width: 116, cell: ({ status }) => <Status of={status} /> },
  {
    id: 'event',
    header: 'Event',
    width: 130,
    cell: ({ webhook_id, delivery_id, event }) => (
      <Link
        to="/webhooks/$webhookId"
        params={{ webhookId: webhook_id }}
        search={(before) => ({ ...before, delivery: delivery_id })}
      >
        {event}
      </Link>
    ),
  },
  { id: 'id', header: 'Delivery', width: 100, from: 720, cell: ({ delivery_id }) => <Id id={delivery_id} /> },
  {
    id: 'job',
    header: 'Job',
    width: 100,
    from: 1024,
    cell: ({ job_id }) =>
      job_id ? (
        <Link to="/jobs/$jobId" params={{ jobId: job_id }} className="mono" title={job_id}>
          {shortId(job_id)}
        </Link>
      ) : (
        <Missing why="it is about no job" />
      ),
  },
  { id: 'at', header: 'Event time', width: 150, from: 720, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'attempts',
    header: 'Attempts',
    width: 84,
    align: 'end',
    from: 720,
    cell: ({ attempts }) => <Count of={attempts} />,
  },
  {
    id: 'code',
    header: 'Answer',
    width: 80,
    align: 'end',
    cell: ({ last_status_code }) => last_status_code ?? <Missing why="no answer" />,
  },
  { id: 'error', header: 'Error', from: 1024, cell: ({ last_error }) => last_error ?? <Missing /> },
];
