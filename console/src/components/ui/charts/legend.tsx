import type { ReactNode } from 'react';
import styles from './charts.module.css';

export interface LegendEntry {
  label: string;
  color: string;
  /** Its label as a link to what it is the sum of. */
  link?: ReactNode;
}

/** What each colour stands for. */
export const Legend = ({ entries }: { entries: readonly LegendEntry[] }) => (
  <span className={styles.legend}>
    {entries.map(({ label, color, link }) => (
      <span key={label}>
        <svg width="9" height="9" aria-hidden>
          <rect width="9" height="9" fill={color} />
        </svg>
        {link ?? label}
      </span>
    ))}
  </span>
);

/** What the line over a bar stands for. */
export const KeyOfBefore = () => (
  <span className={`${styles.hint} ${styles.keyOfBefore}`}>
    <svg width="14" height="9" aria-hidden>
      <line className={styles.beforeLine} x1="0" x2="14" y1="4.5" y2="4.5" />
    </svg>
    the period before
  </span>
);
