import { TriangleAlert } from 'lucide-react';
import { Missing } from '../../components/ui/money.tsx';
import { formatCompact, formatNumber } from '../../format/number.ts';
import styles from './live.module.css';

/** The part of a limit from which it is shown as nearly reached. */
const near = 0.8;

/** How much of a limit is used, as figures and as a bar. */
export function LimitUse({ used, limit }: { used: number | null; limit: number }) {
  if (used === null) return <Missing why="not known while Redis is away" />;
  const part = limit > 0 ? Math.min(1, used / limit) : 1;
  const isNear = part >= near;
  return (
    <span className={styles.use} title={`${formatNumber(used)} of ${formatNumber(limit)}`}>
      <span className={styles.bar} aria-hidden>
        <span className={isNear ? styles.near : undefined} style={{ width: `${100 * part}%` }} />
      </span>
      {formatCompact(used)} of {formatCompact(limit)}
      {isNear && (
        <span className={styles.warning}>
          <TriangleAlert size={13} aria-hidden />
          <span className="visually-hidden">nearly reached</span>
        </span>
      )}
    </span>
  );
}
