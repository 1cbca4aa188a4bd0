import type { Column } from './column.ts';
import styles from './data-table.module.css';
import { alignment } from './table-head.tsx';

const count = 8;

/** Rows of the same height as those to come, so that nothing moves when they arrive. */
export const LoadingRows = <Row extends object>({
  columns,
  hasSelection,
}: {
  columns: readonly Column<Row>[];
  hasSelection: boolean;
}) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
    <tr key={index} aria-hidden className={styles.row}>
      {hasSelection && <td />}
      {columns.map((column) => (
        <td key={column.id} className={alignment(column as unknown as Column<object>)}>
          <span className={styles.placeholder} />
        </td>
      ))}
    </tr>
  ));
