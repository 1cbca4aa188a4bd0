import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { type ReactNode, useState } from 'react';
import { formatTick } from '../../../format/time.ts';
import type { Bucket } from '../../../url/answered-range.ts';
import { leftOf, margin, TimeAxes } from './axes.tsx';
import styles from './charts.module.css';
import { Cursor } from './cursor.tsx';
import { type BarGroup, type BarPoint, stackOf } from './stack-of.ts';
import { useChartCursor } from './use-chart-cursor.ts';

export interface StackedBarsProps {
  label: string;
  bucket: Bucket;
  zone: string;
  points: readonly BarPoint[];
  groups: readonly BarGroup[];
  /** The key of the group that the others are faint beside. */
  marked?: string | undefined;
  height: number;
  /** A value as text, for the axis and the line above. */
  format: (value: number) => string;
  /** What the colours stand for, shown while no bar is read. */
  legend: ReactNode;
  /** Opens what a part of a bar is the sum of; without a group the whole bar. */
  onOpen?: ((point: number, group: number | undefined) => void) | undefined;
}

/** Bars of groups that stand above each other, and a line over each for what the period before had. */
export function StackedBars(props: StackedBarsProps) {
  const { label, bucket, zone, points, groups, marked, height, format, legend, onOpen } = props;
  const { parentRef, width } = useParentSize({ debounceTime: 50 });
  const { shown, setShown, keys } = useChartCursor({
    count: points.length,
    ...(onOpen && { onSelect: (first: number) => onOpen(first, undefined) }),
  });
  const [group, setGroup] = useState<number>();
  const bars = points.map(({ values }) => stackOf(values));
  const ends = bars.flatMap((parts) => parts.flatMap(({ from, to }) => [from, to]));
  const before = points.flatMap(({ previous }) => previous ?? []);
  const y = scaleLinear<number>({
    domain: [Math.min(0, ...ends, ...before), Math.max(1e-6, ...ends, ...before)],
    range: [height - margin.bottom, margin.top],
    nice: 2,
  });
  const x = scaleBand({
    domain: points.map(({ at }) => at),
    range: [leftOf(y, format), width - margin.right],
    padding: 0.18,
  });
  const leave = () => {
    setShown(undefined);
    setGroup(undefined);
  };
  const read = shown === undefined ? undefined : points[shown];
  const barWidth = Math.max(1, x.bandwidth());

  return (
    <figure className={styles.chart} ref={parentRef}>
      <figcaption className={styles.readout} aria-live="polite">
        {read ? (
          <>
            <strong>{formatTick(new Date(read.at), zone, bucket)}</strong> {sentenceOf(read, groups, group, format)}
          </>
        ) : (
          legend
        )}
      </figcaption>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="application"
          aria-roledescription="chart"
          aria-label={`${label}. Arrow keys read it${onOpen ? ', Enter opens what is read' : ''}; the table below has the figures`}
          onPointerLeave={leave}
          {...keys}
        >
          <TimeAxes {...{ x, y, width, height, bucket, zone, format }} />
          {shown !== undefined && <Cursor x={x(points[shown]!.at)} width={barWidth} height={height - margin.bottom} />}
          {points.map((point, index) => (
            <g key={point.at} className={point.partial ? styles.uncertain : undefined}>
              <rect
                x={(x(point.at) ?? 0) - (x.step() - barWidth) / 2}
                width={x.step()}
                height={Math.max(0, height - margin.bottom)}
                fill="transparent"
                stroke="none"
                onPointerMove={() => {
                  setShown(index);
                  setGroup(undefined);
                }}
              />
              {bars[index]!.map(({ place, from, to }) => (
                // biome-ignore lint/a11y/noStaticElementInteractions: the chart has keys of its own, and the tables have the links
                <rect
                  key={groups[place]!.key}
                  className={`${onOpen ? styles.part : ''} ${marked !== undefined && marked !== groups[place]!.key ? styles.faint : ''}`}
                  x={x(point.at)}
                  y={Math.min(y(from), y(to))}
                  width={barWidth}
                  height={Math.max(1, Math.abs(y(from) - y(to)) - (bars[index]!.length > 1 ? 1 : 0))}
                  fill={groups[place]!.color}
                  onPointerMove={() => {
                    setShown(index);
                    setGroup(place);
                  }}
                  onClick={onOpen && (() => onOpen(index, place))}
                />
              ))}
              {typeof point.previous === 'number' &&
                [styles.before, styles.beforeLine].map((look) => (
                  <line
                    key={look}
                    className={look}
                    x1={(x(point.at) ?? 0) - 1}
                    x2={(x(point.at) ?? 0) + barWidth + 1}
                    y1={y(point.previous!)}
                    y2={y(point.previous!)}
                    strokeDasharray="none"
                    pointerEvents="none"
                  />
                ))}
            </g>
          ))}
        </svg>
      )}
    </figure>
  );
}

/** What a bar stands for: one group of it, or all of them, with what the period before had. */
function sentenceOf(
  { total, values, previous, partial }: BarPoint,
  groups: readonly BarGroup[],
  group: number | undefined,
  format: (value: number) => string,
): string {
  const shown = (value: number | null | undefined) => (typeof value === 'number' ? format(value) : 'not known yet');
  const one = group === undefined ? '' : `${groups[group]!.label} ${shown(values[group])} of `;
  const before = previous === undefined ? '' : `, before ${previous === null ? 'no such bucket' : format(previous)}`;
  return `${one}${shown(total)}${before}${partial ? `, ${partial}` : ''}`;
}
