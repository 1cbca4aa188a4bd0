import { AxisBottom, AxisLeft } from '@visx/axis';
import type { scaleBand, scaleLinear } from '@visx/scale';
import { formatTick } from '../../../format/time.ts';
import type { Bucket } from '../../../url/answered-range.ts';
import styles from './charts.module.css';

export const margin = { top: 6, right: 0, bottom: 22, left: 44 };
const tickSpace = 84;
const valueTicks = 2;
const characterWidth = 6.5;

/** Where the bars begin: beside the longest value, because what few calls cost has many decimals. */
export const leftOf = (y: AxesProps['y'], format: AxesProps['format']): number =>
  Math.max(margin.left, ...y.ticks(valueTicks).map((value) => 10 + characterWidth * format(value).length));

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
        left={x.range()[0]}
        scale={y}
        numTicks={valueTicks}
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
