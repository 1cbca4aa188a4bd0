import { scaleLinear } from '@visx/scale';
import { AreaClosed } from '@visx/shape';
import { useMemo } from 'react';
import { type Item, toDensity } from './items.ts';
import styles from './timeline.module.css';

const parts = 120;
const height = 28;

/** How many calls were under way at each time, on the axis of the timeline below. */
export function DensityStrip({ items, axis }: { items: readonly Item[]; axis: readonly [number, number] }) {
  const counts = useMemo(() => toDensity(items, axis, parts), [items, axis]);
  const maxCalls = counts.reduce((a, b) => Math.max(a, b), 1);
  const y = scaleLinear({ domain: [0, maxCalls], range: [height, 2] });
  return (
    <div className={styles.strip} title={`At most ${maxCalls} calls at the same time`}>
      <svg
        viewBox={`0 0 ${parts - 1} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`At most ${maxCalls} calls at the same time`}
      >
        <AreaClosed data={counts} x={(_, index) => index} y={(count) => y(count)} yScale={y} className={styles.area} />
      </svg>
    </div>
  );
}
