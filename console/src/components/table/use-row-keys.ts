import { useEffect, useState } from 'react';
import { useKeys } from '../../keys/keys.ts';
import { copyText } from '../id.tsx';
import { addToast } from '../toast-queue.ts';

export interface RowActions<Row> {
  onOpen?: (row: Row) => void;
  onPeek?: (row: Row) => void;
  onSelect?: (row: Row) => void;
}

interface RowKeysOptions<Row> extends RowActions<Row> {
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Brings the row into view, so that it exists. */
  scrollTo: (index: number) => void;
  isActive: boolean;
}

/** `j` and `k` move through the rows, Enter opens, Space peeks, `c` copies the id and `x` selects. Returns the row that has the focus. */
export function useRowKeys<Row>({ rows, rowId, scrollTo, isActive, onOpen, onPeek, onSelect }: RowKeysOptions<Row>) {
  const [focused, setFocused] = useState<string>();
  const [isMoved, setMoved] = useState(false);
  const index = rows.findIndex((row) => rowId(row) === focused);
  const current = rows[index];

  const move = (step: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, index + step));
    const row = rows[next];
    if (!row) return;
    scrollTo(next);
    setFocused(rowId(row));
    setMoved(true);
  };
  const withRow = (act: ((row: Row) => void) | undefined) => () => {
    if (current && act) act(current);
  };
  const copy = (row: Row) => {
    void copyText(rowId(row));
    addToast(`Copied ${rowId(row)}`);
  };
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: withRow(onOpen ?? onPeek),
    Space: withRow(onPeek),
    c: withRow(copy),
    x: withRow(onSelect),
  };
  useKeys(keys, { isActive });

  // After the render in which the row came into view.
  useEffect(() => {
    if (!isMoved || focused === undefined) return;
    setMoved(false);
    document.querySelector<HTMLElement>(`[data-row="${CSS.escape(focused)}"]`)?.focus();
  }, [isMoved, focused]);

  return { focused, setFocused };
}
