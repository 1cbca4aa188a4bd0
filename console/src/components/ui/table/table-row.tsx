import { type MouseEvent, memo } from 'react';
import { classNames } from '../class-names.ts';
import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { alignment } from './table-head.tsx';

interface TableRowProps<Row> {
  id: string;
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  isOpen: boolean;
  isSelected?: boolean;
  /** The one row that Tab reaches. */
  isReachable: boolean;
  onFocus: (id: string) => void;
  onPeek?: (row: Row) => void;
  onSelect?: (row: Row) => void;
}

/** Whether the click is on an element with an action of its own, and not on the row. */
const actsItself = (event: MouseEvent): boolean =>
  event.target instanceof Element && event.target.closest('a, button, input, label') !== null;

const hasSelectedText = (): boolean => (window.getSelection()?.toString() ?? '') !== '';

function Row<Row extends object>(props: TableRowProps<Row>) {
  const { id, row, index, columns, isOpen, isSelected = false, isReachable, onFocus, onPeek, onSelect } = props;
  const peek = (event: MouseEvent) => {
    if (!actsItself(event) && !hasSelectedText()) onPeek?.(row);
  };
  return (
    // Enter and Space are handled for the whole table, in use-row-shortcuts.ts.
    <tr
      data-row={id}
      aria-rowindex={index + 2}
      aria-selected={onSelect ? isSelected : undefined}
      tabIndex={isReachable ? 0 : -1}
      className={classNames(
        styles.row,
        onPeek && styles.clickable,
        isOpen && styles.open,
        isSelected && styles.selected,
      )}
      onFocus={() => onFocus(id)}
      onClick={peek}
    >
      {onSelect && (
        <td className={styles.check}>
          <input type="checkbox" aria-label={`Select ${id}`} checked={isSelected} onChange={() => onSelect(row)} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={alignment(column as unknown as Column<object>)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

/** A row is rendered again only when something of its own has changed: a list has hundreds of them. */
export const TableRow = memo(Row, (before, after) =>
  (['row', 'index', 'columns', 'isOpen', 'isSelected', 'isReachable'] as const).every((name) =>
    name === 'columns' ? sameColumns(before.columns, after.columns) : before[name] === after[name],
  ),
) as typeof Row;

const sameColumns = (before: readonly unknown[], after: readonly unknown[]): boolean =>
  before.length === after.length && before.every((column, index) => column === after[index]);
