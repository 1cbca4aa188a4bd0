import type { System } from '../../api/types.ts';
import { None } from '../../components/ui/detail-page.tsx';
import { Status } from '../../components/ui/status.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { Duration } from '../../components/ui/time.tsx';

type Dependencies = System['dependencies'];
type Row = Dependencies[keyof Dependencies] & { name: keyof Dependencies };

const names: Record<keyof Dependencies, string> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
  temporal: 'Temporal',
  upstream: 'Model providers',
  worker: 'Workers',
};

const columns: Column<Row>[] = [
  { id: 'state', header: 'State', width: 104, cell: ({ status }) => <Status of={status} /> },
  { id: 'name', header: 'Dependency', cell: ({ name }) => names[name] },
  { id: 'latency', header: 'Latency', width: 90, align: 'end', cell: ({ latency_ms }) => <Duration ms={latency_ms} /> },
];

export const DependencyTable = ({ dependencies }: { dependencies: Dependencies }) => (
  <DataTable
    id="dependencies"
    label="Dependencies"
    isFlat
    columns={columns}
    rows={(Object.keys(names) as (keyof Dependencies)[]).map((name) => ({ name, ...dependencies[name] }))}
    rowId={({ name }) => name}
    empty={<None>None.</None>}
  />
);
