import { Columns3 } from 'lucide-react';
import { Button } from '../button.tsx';
import { Menu, MenuCheck } from '../menu.tsx';
import type { Column } from './column.ts';
import { useHiddenColumns } from './use-hidden-columns.ts';

/** Which columns of a table are shown. The choice is kept in this browser. */
export function ColumnMenu<Row>({ tableId, columns }: { tableId: string; columns: readonly Column<Row>[] }) {
  const { hidden, setHidden } = useHiddenColumns(tableId, columns);
  return (
    <Menu trigger={<Button icon={Columns3} aria-label="Columns" title="Columns" />}>
      {columns
        .filter(({ isAlways }) => !isAlways)
        .map(({ id, header }) => (
          <MenuCheck key={id} checked={!hidden.includes(id)} onChange={(shown) => setHidden(id, !shown)}>
            {header}
          </MenuCheck>
        ))}
    </Menu>
  );
}
