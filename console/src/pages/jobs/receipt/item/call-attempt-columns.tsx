import type { CallAttempt } from '../../../../api/types.ts';
import { Count } from '../../../../components/ui/count.tsx';
import { Missing, Money } from '../../../../components/ui/money.tsx';
import { Status } from '../../../../components/ui/status.tsx';
import type { Column } from '../../../../components/ui/table/column.ts';
import { Duration } from '../../../../components/ui/time.tsx';

/** The attempts of a call at the models of its group. */
export const callAttemptColumns: Column<CallAttempt>[] = [
  { id: 'number', header: 'Attempt', width: 70, cell: ({ attempt_number }) => attempt_number },
  { id: 'outcome', header: 'Outcome', width: 120, cell: ({ outcome }) => <Status of={outcome} /> },
  { id: 'model', header: 'Model', cell: ({ model }) => model },
  {
    id: 'latency',
    header: 'Duration',
    width: 90,
    align: 'end',
    cell: ({ latency_ms }) => <Duration ms={latency_ms} />,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 80,
    align: 'end',
    cell: ({ prompt_tokens, completion_tokens }) => <Count of={prompt_tokens + completion_tokens} />,
  },
  { id: 'cost', header: 'Cost', width: 90, align: 'end', cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
  { id: 'error', header: 'Error', cell: ({ error }) => error ?? <Missing /> },
];
