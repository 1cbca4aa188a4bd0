import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import type { UsageSeries } from '../../api/types.ts';
import { margin, TimeAxes } from '../../components/ui/charts/axes.tsx';
import styles from '../../components/ui/charts/charts.module.css';
import { Cursor } from '../../components/ui/charts/cursor.tsx';
import { Legend } from '../../components/ui/charts/legend.tsx';
import { useChartCursor } from '../../components/ui/charts/use-chart-cursor.ts';
import { formatTick } from '../../format/time.ts';
import { Amount, formatAmount } from './amount.tsx';
import { partialWord } from './partial-word.ts';
import { colorOfOutcome, toParts } from './series-parts.ts';
import { metricLabels } from './usage-choices.ts';

export interface SeriesChartProps {
  series: UsageSeries;
  /** The position of the group that is marked. */
  marked?: number;
  height: number;
}

/** The bars of a series: the total of each bucket, with the marked group in it. Only outcomes have colours. */
export function SeriesChart({ series, marked, height }: SeriesChartProps) {
  const { metric, bucket, tz, points, groups } = series;
  const { parentRef, width } = useParentSize({ debounceTime: 50 });
  const { shown, setShown, keys } = useChartCursor({ count: points.length });
  const bars = points.map((point) => toParts(series, point, marked));
  const ends = bars.flatMap((parts) => parts.flatMap(({ from, to }) => [from, to]));
  const x = scaleBand({
    domain: points.map(({ at }) => at),
    range: [margin.left, width - margin.right],
    padding: 0.18,
  });
  const y = scaleLinear<number>({
    domain: [Math.min(0, ...ends), Math.max(metric.endsWith('_usd') ? 1e-6 : 1, ...ends)],
    range: [height - margin.bottom, margin.top],
    nice: 2,
  });
  const hovered = shown === undefined ? undefined : points[shown];
  const group = marked === undefined ? undefined : groups[marked];

  return (
    <figure className={styles.chart} ref={parentRef}>
      <figcaption className={styles.readout} aria-live="polite">
        {hovered ? (
          <>
            <strong>{formatTick(new Date(hovered.at), tz, bucket)}</strong>{' '}
            <Amount metric={metric} value={hovered.total} />
            {group && (
              <>
                , of it {group.label} <Amount metric={metric} value={hovered.values[marked!]} />
              </>
            )}
            {partialWord(series, shown!) && ` ${partialWord(series, shown!)}`}
          </>
        ) : (
          <Key series={series} group={group} />
        )}
      </figcaption>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="application"
          aria-roledescription="chart"
          aria-label={`${metricLabels[metric]} over time. Arrow keys read it; the table below has the figures`}
          {...keys}
        >
          <TimeAxes {...{ x, y, width, height, bucket }} zone={tz} format={(value) => formatAmount(metric, value)} />
          {points.map(({ at }, index) => (
            <g key={at} className={partialWord(series, index) ? styles.uncertain : undefined}>
              {bars[index]!.map(({ key, color, from, to }) => (
                <rect
                  key={key}
                  x={x(at)}
                  y={Math.min(y(from), y(to)) - (from === to ? 1 : 0)}
                  width={Math.max(1, x.bandwidth())}
                  height={Math.max(1, Math.abs(y(from) - y(to)))}
                  fill={color}
                />
              ))}
            </g>
          ))}
          {shown !== undefined && (
            <Cursor x={x(points[shown]!.at)} width={x.bandwidth()} height={height - margin.bottom} />
          )}
          <rect
            x={margin.left}
            width={Math.max(0, width - margin.left)}
            height={height}
            fill="transparent"
            onPointerMove={({ nativeEvent }) => {
              const index = Math.floor((nativeEvent.offsetX - margin.left) / x.step());
              setShown(Math.min(points.length - 1, Math.max(0, index)));
            }}
            onPointerLeave={() => setShown(undefined)}
          />
        </svg>
      )}
    </figure>
  );
}

interface KeyProps {
  series: UsageSeries;
  group: UsageSeries['groups'][number] | undefined;
}

/** The meaning of the colours and of dashed bars. */
function Key({ series: { group_by, groups }, group }: KeyProps) {
  const entries = groups.map(({ key, label }) => ({ label, color: colorOfOutcome(key) }));
  return (
    <>
      {group_by === 'outcome' ? <Legend entries={entries} /> : `All${group ? `, with ${group.label} in front` : ''}`}
      <span className={styles.hint}>dashed: partial; no bar: no data yet</span>
    </>
  );
}
