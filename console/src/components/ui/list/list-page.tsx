import { ArrowUp } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { formatCount } from '../../../format/number.ts';
import { useFocusReturn } from '../use-focus-return.ts';
import styles from './list.module.css';
import type { Difference } from './use-following.ts';

interface ListPageProps {
  title: string;
  /** The rows over time, above their filters. */
  chart?: ReactNode;
  /** The filters, on the left. */
  filters?: ReactNode;
  /** What can be done with the list as a whole, on the right. */
  actions?: ReactNode;
  /** The active filters. */
  chips?: ReactNode;
  /** Sums over the whole list, between its filters and its rows. */
  totals?: ReactNode;
  /** What has changed since the rows were read. */
  notice?: ReactNode;
  /** The table, and what is open beside it. */
  children: ReactNode;
}

/** A page that is one list, as high as the window. */
export const ListPage = (props: ListPageProps) => {
  const { title, chart, filters, actions, chips, totals, notice, children } = props;
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className="visually-hidden">{title}</h1>
        {chart}
        <div className={styles.controls}>
          <search className={styles.filters}>{filters}</search>
          <div className={styles.actions} data-page-actions>
            {actions}
          </div>
        </div>
        {chips}
        {totals}
      </div>
      {notice}
      <div className={styles.body}>{children}</div>
    </div>
  );
};

interface ChangedRowsProps {
  list: { difference: Difference; refresh: () => void };
}

/** Shows that the list has other rows than those on the screen, which are shown by a click. */
export function ChangedRows({ list: { difference, refresh } }: ChangedRowsProps) {
  const { added, isOther } = difference;
  if (added === 0 && !isOther) return null;
  return <NewerRows text={isOther ? 'Show what has changed' : formatCount(added, 'newer row')} onShow={refresh} />;
}

/** How many rows are newer than those that are shown. They are shown by a click. */
export function NewerRows({ text, onShow }: { text: string; onShow: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusReturn(button);
  return (
    <button ref={button} type="button" className={styles.newer} onClick={onShow}>
      <ArrowUp size={13} aria-hidden /> {text}
    </button>
  );
}
