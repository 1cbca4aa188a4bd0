import { useVirtualizer } from '@tanstack/react-virtual';
import { scaleLinear } from '@visx/scale';
import { useMemo, useRef } from 'react';
import type { JobTimeline } from '../../../../api/types.ts';
import { formatNumber } from '../../../../format/number.ts';
import { formatDuration } from '../../../../format/time.ts';
import { useShortcuts } from '../../../../shortcuts/use-shortcuts.ts';
import { DensityStrip } from './density-strip.tsx';
import { toAxis, toItems } from './items.ts';
import styles from './timeline.module.css';
import { TimelineRow } from './timeline-row.tsx';

interface TimelineProps {
  timeline: JobTimeline;
  selected?: string;
  onSelect: (id: string) => void;
}

const rowHeight = 28;
const overscan = 6;
/** How many rows the timeline is high; further ones are scrolled to. */
const maxRows = 16;
/** How many rows the print style leaves room for. */
const maxPrintedRows = 10;
const maxTicks = 5;
/** The density strip is shown above more rows than these. */
const longFrom = 25;

/** Calls, the end of the job, ledger rows, deliveries and audit entries on one axis. Only the rows in view are in the document. */
export function Timeline({ timeline, selected, onSelect }: TimelineProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const now = useMemo(() => Math.max(Date.now(), Date.parse(timeline.job.created_at) + 1), [timeline]);
  const items = useMemo(() => toItems(timeline, now), [timeline, now]);
  const axis = useMemo(() => toAxis(timeline, now), [timeline, now]);
  const scale = scaleLinear({ domain: [0, axis[1] - axis[0]], range: [0, 100] });
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
  });
  const move = (step: number) => {
    const index = items.findIndex(({ id }) => id === selected);
    const next = Math.min(items.length - 1, Math.max(0, index + step));
    if (!items[next]) return;
    virtual.scrollToIndex(next);
    onSelect(items[next].id);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1) });

  return (
    <section className={styles.timeline} aria-label="Timeline">
      {items.length > longFrom && <DensityStrip items={items} axis={axis} />}
      <div className={styles.axis} aria-hidden>
        {scale.ticks(maxTicks).map((tick) => (
          <span key={tick} style={{ left: `${scale(tick)}%` }}>
            {formatDuration(tick)}
          </span>
        ))}
      </div>
      <div ref={scroller} className={styles.scroller} style={{ height: Math.min(maxRows, items.length) * rowHeight }}>
        <ol style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = items[index]!;
            return (
              <TimelineRow
                key={item.id}
                item={item}
                axis={axis}
                top={start}
                isSelected={item.id === selected}
                onSelect={onSelect}
              />
            );
          })}
        </ol>
      </div>
      {items.length > maxPrintedRows && (
        <p className={styles.part}>
          {maxPrintedRows} of {formatNumber(items.length)} rows: the others are on the screen.
        </p>
      )}
    </section>
  );
}
