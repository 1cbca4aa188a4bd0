import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { useHiddenColumns } from './use-hidden-columns.ts';

/** Which columns of a table are shown. The choice is kept in this browser. */
export function ColumnMenu<Row>({ tableId, columns }: { tableId: string; columns: readonly Column<Row>[] }) {
  const [isOpen, setOpen] = useState(false);
  const { hidden, setHidden } = useHiddenColumns(tableId, columns);
  return (
    <>
      <Button icon={Columns3} aria-label="Columns" title="Columns" onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog title="Columns" onClose={() => setOpen(false)}>
          <ul className={styles.columns}>
            {columns
              .filter(({ isAlways }) => !isAlways)
              .map(({ id, header }) => (
                <li key={id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={!hidden.includes(id)}
                      onChange={(event) => setHidden(id, !event.target.checked)}
                    />
                    {header}
                  </label>
                </li>
              ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
