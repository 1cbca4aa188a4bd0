import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { NoCalls } from '../../components/calls/no-calls.tsx';
import { Money } from '../../components/ui/money.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { formatNumber } from '../../format/number.ts';
import { linkedRange, type Ranged } from '../../url/answered-range.ts';
import styles from './overview.module.css';

type Cost = Overview['cost_by_model_group'][number];

const maxGroups = 8;

const newColumns = (largest: number): Column<Cost>[] => [
  {
    id: 'group',
    header: 'Model group',
    cell: ({ model_group }) =>
      model_group === null ? (
        <span className="muted">called by alias</span>
      ) : (
        <Link to="/models" search={{ q: model_group }} className="mono">
          {model_group}
        </Link>
      ),
  },
  {
    id: 'bar',
    header: 'Share',
    width: 140,
    cell: ({ cost_usd }) => (
      <span className={styles.bar} aria-hidden>
        <span style={{ width: `${largest > 0 ? (100 * cost_usd) / largest : 0}%` }} />
      </span>
    ),
  },
  { id: 'cost', header: 'Cost', width: 96, align: 'end', cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
];

/** The most expensive model groups. All of them, over time, are in the usage. */
export function CostByModelGroup({ overview }: { overview: Overview & Ranged }) {
  const costs = overview.cost_by_model_group;
  return (
    <>
      <DataTable
        id="cost-by-model-group"
        label="Cost by model group"
        isFlat
        columns={newColumns(costs[0]?.cost_usd ?? 0)}
        rows={costs.slice(0, maxGroups)}
        rowId={({ model_group }) => model_group ?? ''}
        empty={<NoCalls {...overview} />}
      />
      {costs.length > 0 && (
        <p className="muted">
          {costs.length > maxGroups && `Top ${maxGroups} of ${formatNumber(costs.length)}. `}
          <Link to="/usage" search={{ ...linkedRange(overview), metric: 'cost_usd', by: 'model_group' }}>
            Over time
          </Link>
        </p>
      )}
    </>
  );
}
