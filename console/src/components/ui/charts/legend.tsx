import styles from './charts.module.css';

export interface LegendEntry {
  label: string;
  color: string;
}

/** What each colour stands for. */
export const Legend = ({ entries }: { entries: readonly LegendEntry[] }) => (
  <span className={styles.legend}>
    {entries.map(({ label, color }) => (
      <span key={label}>
        <svg width="9" height="9" aria-hidden>
          <rect width="9" height="9" fill={color} />
        </svg>
        {label}
      </span>
    ))}
  </span>
);
