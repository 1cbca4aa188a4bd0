import type { Column } from './column.ts';
import styles from './data-table.module.css';

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[];
  selected?: ReadonlySet<string>;
  rowCount: number;
  onSelectAll?: (all: boolean) => void;
}

export const alignment = ({ align, from }: Column<never> | Column<object>): string =>
  [align === 'end' && styles.end, from && styles[`from${from}`]].filter(Boolean).join(' ');

export function TableHead<Row extends object>({ columns, selected, rowCount, onSelectAll }: TableHeadProps<Row>) {
  const isPartial = selected !== undefined && selected.size > 0 && selected.size < rowCount;
  return (
    <thead>
      <tr>
        {selected && (
          <th scope="col" className={styles.check}>
            <input
              type="checkbox"
              aria-label="Select all rows that are loaded"
              checked={rowCount > 0 && selected.size === rowCount}
              ref={(box) => {
                if (box) box.indeterminate = isPartial;
              }}
              onChange={(event) => onSelectAll?.(event.target.checked)}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            className={alignment(column as Column<object>)}
            style={{ width: column.width }}
          >
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  );
}
