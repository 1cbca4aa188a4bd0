import { AxisBottom, AxisLeft } from '@visx/axis';
import type { scaleBand, scaleLinear } from '@visx/scale';
import { formatTick } from '../../../format/time.ts';
import type { Bucket } from '../../../url/answered-range.ts';
import styles from './charts.module.css';

export const margin = { top: 6, right: 0, bottom: 22, left: 44 };
const tickSpace = 84;

interface AxesProps {
  x: ReturnType<typeof scaleBand<string>>;
  y: ReturnType<typeof scaleLinear<number>>;
  width: number;
  height: number;
  bucket: Bucket;
  /** The zone in which the buckets begin. */
  zone: string;
  format: (value: number) => string;
}

/** The axes of a chart: time below, values on the left. */
export function TimeAxes({ x, y, width, height, bucket, zone, format }: AxesProps) {
  const starts = x.domain();
  const every = Math.max(1, Math.ceil(starts.length / Math.max(1, Math.floor(width / tickSpace))));
  return (
    <>
      <AxisLeft
        left={margin.left}
        scale={y}
        numTicks={2}
        hideAxisLine
        hideTicks
        tickFormat={(value) => format(Number(value))}
        tickClassName={styles.tick}
      />
      <AxisBottom
        top={height - margin.bottom}
        scale={x}
        hideTicks
        axisLineClassName={styles.axis}
        tickClassName={styles.tick}
        tickValues={starts.filter((_, index) => index % every === 0)}
        tickFormat={(at) => formatTick(new Date(at), zone, bucket)}
      />
    </>
  );
}
