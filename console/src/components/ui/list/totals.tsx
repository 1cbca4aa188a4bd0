import type { ReactNode } from 'react';
import styles from './list.module.css';

/** Sums over the whole list, from the service. */
export const Totals = ({ totals }: { totals: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles.totals}>
    {totals.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
