import { Link } from '@tanstack/react-router';
import type { CreditTransaction, Delivery } from '../../../api/types.ts';
import { Count } from '../../../components/ui/count.tsx';
import { Id } from '../../../components/ui/id.tsx';
import { Missing } from '../../../components/ui/money.tsx';
import { Status } from '../../../components/ui/status.tsx';
import type { Column } from '../../../components/ui/table/column.ts';
import { Time } from '../../../components/ui/time.tsx';
import { SendAgain } from '../../../components/webhooks/delivery-panel.tsx';

/** The ledger rows of a job. */
export const jobLedgerColumns: Column<CreditTransaction>[] = [
  { id: 'at', header: 'Time', width: 150, cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'type', header: 'Row', width: 110, cell: ({ transaction_type }) => transaction_type },
  {
    id: 'amount',
    header: 'Credits',
    width: 80,
    align: 'end',
    cell: ({ credits_amount }) => <Count of={credits_amount} />,
  },
  {
    id: 'before',
    header: 'Before',
    width: 90,
    align: 'end',
    cell: ({ credits_before }) => <Count of={credits_before} />,
  },
  { id: 'after', header: 'After', width: 90, align: 'end', cell: ({ credits_after }) => <Count of={credits_after} /> },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
];

/** The deliveries about a job, each with a link to its item of the timeline. */
export const jobDeliveryColumns: Column<Delivery>[] = [
  { id: 'status', header: 'Status', width: 110, cell: ({ status }) => <Status of={status} /> },
  {
    id: 'event',
    header: 'Event',
    width: 140,
    cell: ({ delivery_id, event }) => (
      <Link
        from="/jobs/$jobId"
        to="."
        search={(before) => ({ ...before, item: delivery_id })}
        replace
        title="Its attempts"
      >
        {event}
      </Link>
    ),
  },
  { id: 'id', header: 'Delivery', width: 100, from: 720, cell: ({ delivery_id }) => <Id id={delivery_id} /> },
  { id: 'at', header: 'Created', width: 150, from: 720, cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'attempts',
    header: 'Attempts',
    width: 80,
    align: 'end',
    from: 720,
    cell: ({ attempts }) => <Count of={attempts} />,
  },
  {
    id: 'code',
    header: 'Answer',
    width: 80,
    align: 'end',
    from: 720,
    cell: ({ last_status_code }) => last_status_code ?? <Missing why="no answer" />,
  },
  { id: 'error', header: 'Error', from: 1024, cell: ({ last_error }) => last_error ?? <Missing /> },
  {
    id: 'again',
    header: 'Action',
    width: 120,
    align: 'end',
    isAlways: true,
    cell: (delivery) => <SendAgain delivery={delivery} look="quiet" />,
  },
];
