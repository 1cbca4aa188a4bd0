import type { ReactNode } from 'react';
import styles from './figure.module.css';

export interface FigureProps {
  label: string;
  children: ReactNode;
  /** A line below: what it is compared with, or what it is made of. */
  note?: ReactNode;
}

/** A figure with its name: the largest thing of its page. */
export const Figure = ({ label, children, note }: FigureProps) => (
  <div className={styles.figure}>
    <dt className={styles.label}>{label}</dt>
    <dd className={styles.value}>{children}</dd>
    {note && <dd className={styles.note}>{note}</dd>}
  </div>
);

export const Figures = ({ children }: { children: ReactNode }) => <dl className={styles.figures}>{children}</dl>;
