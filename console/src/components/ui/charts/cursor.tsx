import styles from './charts.module.css';

/** Marks the point whose values are shown above the chart. */
export const Cursor = ({ x, width, height }: { x: number | undefined; width: number; height: number }) => (
  <rect className={styles.cursor} x={x} width={Math.max(1, width)} height={height} />
);
