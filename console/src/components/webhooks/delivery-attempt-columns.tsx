import type { DeliveryDetail } from '../../api/types.ts';
import { Missing } from '../ui/money.tsx';
import type { Column } from '../ui/table/column.ts';
import { Duration, Time } from '../ui/time.tsx';

type Attempt = DeliveryDetail['attempts_log'][number];

/** The attempts of a delivery, each with the beginning of what was answered. */
export const deliveryAttemptColumns: Column<Attempt>[] = [
  { id: 'number', header: '#', width: 36, cell: ({ attempt_number }) => attempt_number },
  { id: 'at', header: 'Began', width: 150, cell: ({ started_at }) => <Time at={started_at} /> },
  { id: 'took', header: 'Took', width: 84, align: 'end', cell: ({ latency_ms }) => <Duration ms={latency_ms} /> },
  {
    id: 'code',
    header: 'Answer',
    width: 72,
    align: 'end',
    cell: ({ status_code }) => status_code ?? <Missing why="no answer" />,
  },
  { id: 'error', header: 'Error', from: 720, cell: ({ error }) => error ?? <Missing /> },
  {
    id: 'excerpt',
    header: 'Text of the answer',
    from: 720,
    cell: ({ response_excerpt }) =>
      response_excerpt ? (
        <span className="mono" title={response_excerpt}>
          {response_excerpt}
        </span>
      ) : (
        <Missing why="empty" />
      ),
  },
];
