import type { ReactNode } from 'react';
import { type FactList, Facts } from '../facts.tsx';
import { Id } from '../id.tsx';
import styles from './data-table.module.css';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Peek } from './peek.tsx';
import { useOpenRow } from './use-open-row.ts';

interface PeekTableProps<Row> extends Omit<DataTableProps<Row>, 'openId' | 'onPeek'> {
  /** What a row is, such as `Team`. */
  noun: string;
  /** All that the list knows of a row, also what its columns have no room for. */
  factsOf: (row: Row) => FactList;
  /** The links below the facts: where to go from there. */
  linksOf?: (row: Row) => ReactNode;
}

/** A list whose rows are shown beside it: by a click, by Space, and by a link, because the open row is in the URL. */
export function PeekTable<Row extends object>({ noun, factsOf, linksOf, ...table }: PeekTableProps<Row>) {
  const { open, close, toggle } = useOpenRow();
  const { rows, rowId, state, isFlat } = table;
  const row = rows.find((one) => rowId(one) === open);
  const isMissing = open !== undefined && row === undefined && !state?.isPending;
  const peek = (row || isMissing) && (
    <Peek label={noun} head={<Id id={open!} />} onClose={close}>
      {row ? <Facts facts={factsOf(row)} /> : <p className="muted">It is not among the rows that are loaded.</p>}
      {row && linksOf && <p className={styles.peekLinks}>{linksOf(row)}</p>}
    </Peek>
  );
  return (
    <>
      <DataTable {...table} openId={open} onPeek={(one) => toggle(rowId(one))} />
      {isFlat && peek ? <div className={styles.floating}>{peek}</div> : peek}
    </>
  );
}
