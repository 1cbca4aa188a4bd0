import { useTable } from '@tanstack/react-table';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { NothingMatches } from '../empty.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { type Column, features, toDefinitions } from './column.ts';
import styles from './data-table.module.css';
import { LoadingRows } from './loading-rows.tsx';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useHiddenColumns } from './use-hidden-columns.ts';
import { type RowActions, useRowShortcuts } from './use-row-shortcuts.ts';

export interface DataTableProps<Row> extends RowActions<Row> {
  /** The name under which the chosen columns are stored. */
  id: string;
  /** What the rows are, for a reader of the screen. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** How many rows there are in all, on this page and further ones. */
  total?: number | null;
  state?: { isPending: boolean; error: Error | null; refetch: () => void };
  /** The content in place of rows, where there are none. */
  empty: ReactNode;
  /** `isPaused`: several pages had no row, and the next ones are read when a person wants it. */
  more?: { hasMore: boolean; isLoading: boolean; isPaused?: boolean; load: () => void };
  /** The row whose panel is open. */
  openId?: string;
  selected?: ReadonlySet<string>;
  onSelectAll?: (all: boolean) => void;
  /** The first and the last row that are in view, whenever they change. */
  onRange?: (first: number, last: number) => void;
  /** Whether it is as high as its rows, without a scroll bar of its own: for a short table within a page. */
  isFlat?: boolean;
  /** Whether it is the main list of its page, whose keys work wherever the focus is. Default: true unless it is flat. */
  isMain?: boolean;
}

const rowHeight = 34;
const overscan = 12;

/** A list: only the rows in view are in the document, each reached by keys, with its states in place. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { id, label, columns, rows, rowId, state, more, openId, selected, onSelectAll, isFlat = false } = props;
  const { isMain = !isFlat } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { hidden } = useHiddenColumns(id, columns);
  const definitions = useMemo(() => toDefinitions(columns), [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows as Row[],
    getRowId: rowId,
    state: { columnVisibility: Object.fromEntries(hidden.map((name) => [name, false])) },
  });
  const visible = table.getVisibleLeafColumns().map((column) => columns.find((one) => one.id === column.id)!);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: isFlat ? rows.length : overscan,
  });
  const { focused, setFocused, setHasFocus } = useRowShortcuts({
    ...props,
    container: scroller,
    scrollTo: (index) => {
      if (!isFlat) virtual.scrollToIndex(index);
    },
    isWholePage: isMain,
  });
  const { items, before, after } = isFlat ? all(rows.length) : inView(virtual);
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  const { onRange } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: called for another range, not for another function
  useEffect(() => {
    onRange?.(first, last);
  }, [first, last]);
  const { isReading, isPaused, isByHand } = readingOf(props);
  useBackToTop(scroller, first, rows.length);
  useLoadMore(scroller, state?.error || isByHand ? undefined : more, items.at(-1)?.index, rows.length);
  const names = items.map(({ index }) => rowId(rows[index]!));
  const reachable = focused !== undefined && names.includes(focused) ? focused : names[0];

  const { peek, select } = useLatest(props);

  const instead = insteadOfRows(props);
  if (instead !== undefined) return instead;
  return (
    <div ref={scroller} className={classNames(styles.scroller, isFlat && styles.flat)}>
      <table
        className={styles.table}
        aria-label={label}
        aria-rowcount={props.total ?? -1}
        aria-busy={state?.isPending}
        onFocus={() => setHasFocus(true)}
        onBlur={({ currentTarget, relatedTarget }) => setHasFocus(currentTarget.contains(relatedTarget))}
      >
        <TableHead columns={visible} selected={selected} rowCount={rows.length} onSelectAll={onSelectAll} />
        <tbody>
          {before > 0 && <Spacer height={before} />}
          {items.map(({ index }) => {
            const row = rows[index]!;
            const name = rowId(row);
            return (
              <TableRow
                key={name}
                id={name}
                row={row}
                index={index}
                columns={visible}
                isOpen={name === openId}
                isSelected={selected?.has(name)}
                isReachable={name === reachable}
                onFocus={setFocused}
                onPeek={props.onPeek || props.onOpen ? peek : undefined}
                onSelect={selected && props.onSelect ? select : undefined}
              />
            );
          })}
          {after > 0 && <Spacer height={after} />}
          {isReading && <LoadingRows columns={visible} hasSelection={selected !== undefined} />}
        </tbody>
      </table>
      {isPaused && <LookFurther load={more?.load} />}
      {isByHand && <ShowMore more={more} />}
      {state?.error && <ProblemNote error={state.error} onRetry={state.refetch} />}
    </div>
  );
}

/** The functions of the last render: a row that is not rendered again would call those of its own, which know an older selection. */
function useLatest<Row>(props: RowActions<Row>) {
  const latest = useRef(props);
  latest.current = props;
  const [functions] = useState(() => ({
    peek: (row: Row) => (latest.current.onPeek ?? latest.current.onOpen)?.(row),
    select: (row: Row) => latest.current.onSelect?.(row),
  }));
  return functions;
}

/** The rows in the document, and the height of those before and after them. */
const inView = (virtual: Virtualizer<HTMLDivElement, Element>) => {
  const items = virtual.getVirtualItems();
  return { items, before: items[0]?.start ?? 0, after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0) };
};
const all = (count: number) => ({
  items: Array.from({ length: count }, (_, index) => ({ index })),
  before: 0,
  after: 0,
});

/**
 * Whether rows are being read, and whether the reading of further ones waits for a person: after pages without a match, or because all
 * rows of a table within a page are in the document.
 */
function readingOf({ rows, state, more, isFlat }: Pick<DataTableProps<object>, 'rows' | 'state' | 'more' | 'isFlat'>) {
  const isLoading = state?.isPending || more?.isLoading || false;
  const isPaused = !isLoading && more?.hasMore === true && more.isPaused === true;
  const goesOn = rows.length === 0 && more?.hasMore === true && !isPaused;
  const isByHand = isFlat === true && rows.length > 0 && more?.hasMore === true && !state?.error;
  return { isReading: isLoading || goesOn, isPaused, isByHand };
}

/** A page without a match has looked at thousands of rows: a person decides whether to go on. */
const LookFurther = ({ load }: { load?: () => void }) => (
  <p className={styles.further}>
    <span className="muted">No more matches so far.</span>
    <Button onClick={load}>Keep searching</Button>
  </p>
);

const ShowMore = ({ more }: Pick<DataTableProps<object>, 'more'>) => (
  <p className={styles.further}>
    <Button aria-disabled={more?.isLoading} onClick={more?.isLoading ? undefined : more?.load}>
      Show more
    </Button>
  </p>
);

function insteadOfRows(props: Pick<DataTableProps<object>, 'rows' | 'state' | 'more' | 'empty'>): ReactNode {
  const { rows, state, more, empty } = props;
  const { isReading, isPaused } = readingOf(props);
  if (rows.length > 0) return undefined;
  if (state?.error) return <ProblemNote error={state.error} onRetry={state.refetch} />;
  if (isReading) return undefined;
  if (!isPaused) return empty;
  return (
    <NothingMatches what="rows so far">
      <Button onClick={more?.load}>Keep searching</Button>
    </NothingMatches>
  );
}

const Spacer = ({ height }: { height: number }) => (
  <tr aria-hidden>
    <td className={styles.spacer} style={{ height }} />
  </tr>
);

/** A list that has begun again, with fewer rows than were above those on the screen, is shown from its beginning. */
function useBackToTop(scroller: RefObject<HTMLElement | null>, first: number, count: number): void {
  const firstBefore = useRef(first);
  useLayoutEffect(() => {
    if (firstBefore.current >= count) scroller.current?.scrollTo({ top: 0 });
    firstBefore.current = first;
  }, [scroller, first, count]);
}

/** Loads the next page when its first row comes near. */
function useLoadMore(
  scroller: RefObject<HTMLElement | null>,
  more: DataTableProps<never>['more'],
  lastShown: number | undefined,
  count: number,
): void {
  const isNear = count === 0 || (lastShown !== undefined && lastShown >= count - overscan);
  const shouldLoad = isNear && more?.hasMore && !more.isLoading && !more.isPaused;
  useEffect(() => {
    // A list that has just gone back to its beginning was drawn at its end.
    if (shouldLoad && (count === 0 || isAtEnd(scroller.current, count))) more?.load();
  }, [scroller, shouldLoad, more, count]);
}

const isAtEnd = (scroller: HTMLElement | null, count: number): boolean =>
  scroller === null || (scroller.scrollTop + scroller.clientHeight) / rowHeight + overscan >= count - overscan;
