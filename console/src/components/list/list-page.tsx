import type { ReactNode } from 'react';
import styles from './list.module.css';

interface ListPageProps {
  title: string;
  /** The filters, on the left. */
  filters?: ReactNode;
  /** What can be done with the list as a whole, on the right. */
  actions?: ReactNode;
  /** The active filters. */
  chips?: ReactNode;
  /** Sums over the whole list, between its filters and its rows. */
  totals?: ReactNode;
  /** The table, and what is open beside it. */
  children: ReactNode;
}

/** A page that is one list, as high as the window. */
export const ListPage = ({ title, filters, actions, chips, totals, children }: ListPageProps) => (
  <div className={styles.page}>
    <div className={styles.head}>
      <h1 className="visually-hidden">{title}</h1>
      <div className={styles.controls}>
        <search className={styles.filters}>{filters}</search>
        <div className={styles.actions}>{actions}</div>
      </div>
      {chips}
      {totals}
    </div>
    <div className={styles.body}>{children}</div>
  </div>
);
