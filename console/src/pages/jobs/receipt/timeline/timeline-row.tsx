import { memo } from 'react';
import { useSeesCost } from '../../../../api/session.ts';
import { classNames } from '../../../../components/ui/class-names.ts';
import { StatusMark } from '../../../../components/ui/status.tsx';
import { shortUsd } from '../../../../format/money.ts';
import { formatCompact } from '../../../../format/number.ts';
import { formatDuration } from '../../../../format/time.ts';
import { describe } from './describe.ts';
import type { Item } from './items.ts';
import styles from './timeline.module.css';

interface TimelineRowProps {
  item: Item;
  axis: readonly [number, number];
  top: number;
  isSelected: boolean;
  onSelect: (id: string) => void;
}

/** The coordinates of a bar's drawing: it is stretched to the width of the axis. */
const width = 1_000;
const height = 14;
const minWidth = 2;

export const TimelineRow = memo(({ item, axis, top, isSelected, onSelect }: TimelineRowProps) => {
  const { title, note, status } = describe(item);
  const seesCost = useSeesCost();
  return (
    <li className={styles.item} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        data-item={item.id}
        className={classNames(styles.row, isSelected && styles.selected)}
        aria-current={isSelected ? 'true' : undefined}
        onClick={() => onSelect(item.id)}
      >
        <span className={styles.title}>
          <StatusMark of={status} />
          <span className={styles.name}>{title}</span>
          {note && <span className="muted">{note}</span>}
        </span>
        <Bar item={item} axis={axis} />
        <span className={styles.figures}>{formatFigures(item, seesCost)}</span>
      </button>
    </li>
  );
});

function Bar({ item, axis: [start, end] }: Pick<TimelineRowProps, 'item' | 'axis'>) {
  const x = (at: number) => (Math.min(1, Math.max(0, (at - start) / (end - start))) * width).toFixed(1);
  const isLater = item.at > end;
  return (
    <span className={styles.bar}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        {item.kind === 'call' ? (
          <>
            {item.segments.map(({ from, to, look }) => (
              <rect
                key={`${from} ${look}`}
                x={x(from)}
                y={look === 'queued' ? 5 : 2}
                width={Math.max(minWidth, Number(x(to)) - Number(x(from)))}
                height={look === 'queued' ? 4 : 10}
                className={styles[look]}
              />
            ))}
            {item.firstToken !== null && (
              <rect x={x(item.firstToken)} y={0} width={minWidth} height={height} className={styles.firstToken} />
            )}
          </>
        ) : (
          <rect x={Math.min(width - 4, Number(x(item.at)))} y={1} width={4} height={12} className={styles[item.kind]} />
        )}
      </svg>
      {isLater && <span className={styles.later}>{formatDuration(item.at - end)} later</span>}
    </span>
  );
}

function formatFigures(item: Item, seesCost: boolean): string {
  if (item.kind === 'call') {
    const { latency_ms, total_tokens, cost_usd, finished_at } = item.call;
    if (!finished_at) return 'running';
    const figures = `${formatDuration(latency_ms)} · ${formatCompact(total_tokens)} tok`;
    return seesCost ? `${figures} · ${shortUsd(cost_usd)}` : figures;
  }
  if (item.kind === 'transaction') return `${item.transaction.credits_before} → ${item.transaction.credits_after}`;
  if (item.kind === 'delivery')
    return item.delivery.attempts === 1 ? '1 attempt' : `${item.delivery.attempts} attempts`;
  return '';
}
