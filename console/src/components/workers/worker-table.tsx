import type { System } from '../../api/types.ts';
import { None } from '../ui/detail-page.tsx';
import { Id } from '../ui/id.tsx';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table/column.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import { Age } from '../ui/time.tsx';

type Worker = System['workers'][number];

const columns: Column<Worker>[] = [
  { id: 'state', header: 'State', width: 90, cell: ({ is_live }) => <Status of={is_live ? 'up' : 'down'} /> },
  { id: 'id', header: 'Worker', cell: ({ worker_id }) => <Id id={worker_id} /> },
  {
    id: 'queue',
    header: 'Task queue',
    from: 720,
    cell: ({ task_queue }) => <span className="mono">{task_queue}</span>,
  },
  { id: 'version', header: 'Version', cell: ({ version }) => <span className="mono">{version}</span> },
  {
    id: 'started',
    header: 'Started',
    width: 84,
    align: 'end',
    from: 720,
    cell: ({ started_at }) => <Age of={started_at} />,
  },
  { id: 'seen', header: 'Seen', width: 72, align: 'end', cell: ({ seen_at }) => <Age of={seen_at} /> },
];

/** The workers of the last hour, live ones first. */
export const WorkerTable = ({ workers }: { workers: readonly Worker[] }) => (
  <DataTable
    id="workers"
    label="Workers"
    isFlat
    columns={columns}
    rows={workers}
    rowId={({ worker_id }) => worker_id}
    empty={<None>No worker was seen in the last hour: no call can run.</None>}
  />
);
