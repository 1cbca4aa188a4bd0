import { Link } from '@tanstack/react-router';
import type { ModelHealth } from '../../api/types.ts';
import { Count } from '../../components/ui/count.tsx';
import { Missing, Money } from '../../components/ui/money.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { Duration } from '../../components/ui/time.tsx';
import { formatNumber, formatPercent } from '../../format/number.ts';
import styles from './models.module.css';

type Sums = Omit<ModelHealth['groups'][number], 'model_group' | 'calls'>;

/** The error rate from which a model needs attention, as on the overview. */
const manyErrors = 0.05;

const ErrorRate = ({ of }: { of: number | null }) =>
  of === null ? (
    <Missing why="nothing was requested" />
  ) : (
    <span className={of > manyErrors ? styles.bad : undefined}>{formatPercent(of)}</span>
  );

const formatKinds = (kinds: Record<string, number>): string =>
  Object.entries(kinds)
    .map(([kind, count]) => `${kind.replaceAll('_', ' ')} ${formatNumber(count)}`)
    .join(', ');

const shared = <Row extends Pick<Sums, keyof Sums>>(): Column<Row>[] => [
  { id: 'errors', header: 'Errors', width: 76, align: 'end', cell: ({ errors }) => <Count of={errors} /> },
  { id: 'rate', header: 'Rate', width: 70, align: 'end', cell: ({ error_rate }) => <ErrorRate of={error_rate} /> },
  {
    id: 'kinds',
    header: 'Failed calls by kind',
    from: 1024,
    cell: ({ errors_by_kind }) => formatKinds(errors_by_kind) || <Missing />,
  },
  {
    id: 'fallbacks',
    header: 'Fallbacks',
    width: 88,
    align: 'end',
    from: 720,
    cell: ({ fallbacks }) => <Count of={fallbacks} />,
  },
  {
    id: 'p50',
    header: 'Median',
    width: 84,
    align: 'end',
    from: 720,
    cell: ({ p50_latency_ms }) => <Duration ms={p50_latency_ms} />,
  },
  { id: 'p95', header: 'p95', width: 84, align: 'end', cell: ({ p95_latency_ms }) => <Duration ms={p95_latency_ms} /> },
  {
    id: 'tokens',
    header: 'Tokens',
    width: 84,
    align: 'end',
    from: 1024,
    cell: ({ tokens }) => <Count of={tokens} short />,
  },
  { id: 'cost', header: 'Cost', width: 88, align: 'end', from: 720, cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
];

export const modelHealthColumns: Column<ModelHealth['models'][number]>[] = [
  { id: 'model', header: 'Model', cell: ({ model }) => <span className="mono">{model}</span> },
  {
    id: 'failed',
    header: 'Causes',
    width: 84,
    from: 720,
    cell: ({ model, errors }) =>
      errors > 0 && (
        <Link to="/models" search={{ tab: 'health', model }}>
          Causes<span className="visually-hidden"> of the errors of {model}</span>
        </Link>
      ),
  },
  { id: 'attempts', header: 'Requests', width: 84, align: 'end', cell: ({ attempts }) => <Count of={attempts} /> },
  ...shared<ModelHealth['models'][number]>(),
];

export const groupHealthColumns: Column<ModelHealth['groups'][number]>[] = [
  {
    id: 'group',
    header: 'Model group',
    cell: ({ model_group }) =>
      model_group === null ? (
        <span className="muted">aliases</span>
      ) : (
        <Link to="/models" search={{ q: model_group }} className="mono">
          {model_group}
        </Link>
      ),
  },
  { id: 'calls', header: 'Calls', width: 84, align: 'end', cell: ({ calls }) => <Count of={calls} /> },
  ...shared<ModelHealth['groups'][number]>(),
];
