import type { System } from '../../api/types.ts';
import { Count } from '../../components/ui/count.tsx';
import { Columns, None, Section } from '../../components/ui/detail-page.tsx';
import { Status } from '../../components/ui/status.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { Age, Time } from '../../components/ui/time.tsx';

type Maintenance = System['maintenance'];
type Step = Maintenance['steps'][number];
type Cursor = Maintenance['cursors'][number];

/** `closeOrphanedCalls` is `close orphaned calls`. */
const wordsOf = (name: string): string =>
  name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const stepColumns: Column<Step>[] = [
  {
    id: 'state',
    header: 'Result',
    width: 112,
    cell: ({ has_failed }) => <Status of={has_failed ? 'failed' : 'succeeded'} />,
  },
  { id: 'step', header: 'Step', cell: ({ step }) => wordsOf(step) },
  { id: 'handled', header: 'Rows', width: 72, align: 'end', cell: ({ handled }) => <Count of={handled} /> },
  { id: 'ran', header: 'Ended', width: 72, align: 'end', cell: ({ ran_at }) => <Age of={ran_at} /> },
];

const cursorColumns: Column<Cursor>[] = [
  { id: 'name', header: 'Sweep', cell: ({ name }) => wordsOf(name) },
  {
    id: 'until',
    header: 'Has looked at everything before',
    align: 'end',
    cell: ({ done_until }) => (Date.parse(done_until) === 0 ? 'at its beginning' : <Time at={done_until} />),
  },
];

/** Maintenance runs every half minute: the last result of each step, and the cursors up to which its scans have read. */
export const MaintenanceTables = ({ maintenance: { last_round_at, steps, cursors } }: { maintenance: Maintenance }) => (
  <Columns>
    <Section
      title="Maintenance"
      aside={
        <span className="muted">
          last round <Time at={last_round_at} missing="none has ended" />
        </span>
      }
    >
      <DataTable
        id="maintenance-steps"
        label="Steps of maintenance"
        isFlat
        columns={stepColumns}
        rows={steps}
        rowId={({ step }) => step}
        empty={<None>No round has ended.</None>}
      />
    </Section>
    <Section title="Sweeps">
      <DataTable
        id="maintenance-cursors"
        label="Sweeps"
        isFlat
        columns={cursorColumns}
        rows={cursors}
        rowId={({ name }) => name}
        empty={<None>No sweep has begun.</None>}
      />
    </Section>
  </Columns>
);
