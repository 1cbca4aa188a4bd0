import { type RefObject, useEffect, useState } from 'react';
import { type ShortcutMap, useShortcuts } from '../../../shortcuts/use-shortcuts.ts';
import { copyText } from '../id.tsx';
import { addToast } from '../toast-queue.ts';

export interface RowActions<Row> {
  onOpen?: (row: Row) => void;
  /** Shows the row beside the list, or closes the panel where it is the open row. */
  onPeek?: (row: Row) => void;
  onSelect?: (row: Row) => void;
}

interface RowShortcutOptions<Row> extends RowActions<Row> {
  container: RefObject<HTMLElement | null>;
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** The row that is shown beside the list. */
  openId?: string;
  /** Scrolls to the row, so that it is in the document. */
  scrollTo: (index: number) => void;
  /** Whether the keys work wherever the focus is, and not only while it is inside. */
  isWholePage: boolean;
}

/**
 * `j` and `k` move through the rows, and an open panel goes along; Enter opens, Space peeks, `c` copies the id and `x` selects, as
 * far as the rows have that. Returns the row that has the focus, and handlers that note whether it is inside.
 */
export function useRowShortcuts<Row>(options: RowShortcutOptions<Row>) {
  const { container, rows, rowId, openId, scrollTo, isWholePage, onOpen, onPeek, onSelect } = options;
  const [focused, setFocused] = useState<string>();
  const [isMoved, setMoved] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const index = rows.findIndex((row) => rowId(row) === (focused ?? openId));
  const current = rows[index];

  const move = (step: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, index + step));
    const row = rows[next];
    if (!row) return;
    scrollTo(next);
    setFocused(rowId(row));
    setMoved(true);
    if (openId !== undefined && rowId(row) !== openId) onPeek?.(row);
  };
  const withRow = (act: (row: Row) => void) => () => {
    if (current) act(current);
  };
  const copy = (row: Row) => {
    void copyText(rowId(row));
    addToast(`Copied ${rowId(row)}`);
  };
  const open = onOpen ?? onPeek;
  const keys: ShortcutMap = {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(open && { Enter: withRow(open), c: withRow(copy) }),
    ...(onPeek && { Space: withRow(onPeek) }),
    ...(onSelect && { x: withRow(onSelect) }),
  };
  useShortcuts(keys, { isActive: rows.length > 0 && (isWholePage || hasFocus) });

  // The effect runs after the render in which the row came into view.
  useEffect(() => {
    if (!isMoved || focused === undefined) return;
    setMoved(false);
    container.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(focused)}"]`)?.focus();
  }, [isMoved, focused, container]);

  return { focused, setFocused, setHasFocus };
}
