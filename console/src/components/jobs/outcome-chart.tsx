import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { formatCompact, formatCount } from '../../format/number.ts';
import { formatTick } from '../../format/time.ts';
import { useZone } from '../../preferences/preferences.ts';
import type { Bucket } from '../../url/answered-range.ts';
import { margin, TimeAxes } from '../ui/charts/axes.tsx';
import styles from '../ui/charts/charts.module.css';
import { Cursor } from '../ui/charts/cursor.tsx';
import { Legend } from '../ui/charts/legend.tsx';
import { isRunning } from '../ui/charts/running-bucket.ts';
import { useChartCursor } from '../ui/charts/use-chart-cursor.ts';
import { useDragRange } from './use-drag-range.ts';

export interface OutcomePoint {
  at: string;
  completed: number;
  failed: number;
  cancelled: number;
  open: number;
}

export interface OutcomeChartProps {
  label: string;
  bucket: Bucket;
  points: readonly OutcomePoint[];
  /** All jobs before this moment are counted: a bucket that ends later is drawn as uncertain. */
  completeUntil: string;
  height: number;
  /** A range of points was chosen with the pointer. `to` is the start of the last one. */
  onSelect?: (from: string, to: string) => void;
}

const outcomes = ['completed', 'failed', 'cancelled', 'open'] as const;
type Outcome = (typeof outcomes)[number];
const colorOf = (outcome: Outcome): string => `var(--bar-${outcome})`;

const totalOf = (point: OutcomePoint): number => outcomes.reduce((sum, outcome) => sum + point[outcome], 0);

const sentenceOf = (point: OutcomePoint): string =>
  outcomes.map((outcome) => `${point[outcome]} ${outcome}`).join(', ');

/** The bars of each bucket. A time range is chosen by dragging, or by the arrow keys with Shift. */
export function OutcomeChart({ label, bucket, points, completeUntil, height, onSelect }: OutcomeChartProps) {
  const { parentRef, width } = useParentSize({ debounceTime: 50 });
  const zone = useZone();
  const x = scaleBand({
    domain: points.map(({ at }) => at),
    range: [margin.left, width - margin.right],
    padding: 0.18,
  });
  const maxJobs = Math.max(1, ...points.map(totalOf));
  const y = scaleLinear<number>({ domain: [0, maxJobs], range: [height - margin.bottom, margin.top], nice: 2 });
  const indexAt = (position: number) =>
    Math.min(points.length - 1, Math.max(0, Math.floor((position - margin.left) / x.step())));
  const select = onSelect && ((first: number, last: number) => onSelect(points[first]!.at, points[last]!.at));
  const drag = useDragRange({ indexAt, onSelect: (first, last) => select?.(first, last) });
  const { shown, setShown, marked, keys } = useChartCursor({ count: points.length, onSelect: select });
  const selected = drag.range ?? marked;
  const hovered = shown === undefined ? undefined : points[shown];
  const tickZone = bucket === 'hour' ? zone : 'UTC';
  const isUncertain = ({ at }: OutcomePoint) => isRunning(at, bucket, completeUntil);

  return (
    <figure className={styles.chart} ref={parentRef}>
      <figcaption className={styles.readout} aria-live="polite">
        {hovered ? (
          <>
            <strong>{formatTick(new Date(hovered.at), tickZone, bucket)}</strong> {sentenceOf(hovered)}
            {isUncertain(hovered) && ' so far'}
          </>
        ) : (
          <Legend entries={outcomes.map((outcome) => ({ label: outcome, color: colorOf(outcome) }))} />
        )}
      </figcaption>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="application"
          aria-roledescription="chart"
          aria-label={`${label}: ${formatCount(
            points.reduce((sum, point) => sum + totalOf(point), 0),
            'job',
          )}. Arrow keys read it${onSelect ? ', with Shift they mark a range, Enter shows it' : ''}`}
          {...keys}
        >
          <TimeAxes {...{ x, y, width, height, bucket }} zone={tickZone} format={formatCompact} />
          <BarStack
            data={points as OutcomePoint[]}
            keys={[...outcomes]}
            x={({ at }) => at}
            xScale={x}
            yScale={y}
            color={colorOf}
          >
            {(stacks) =>
              stacks.flatMap((stack) =>
                stack.bars
                  .filter((bar) => bar.height > 0)
                  .map((bar) => (
                    <rect
                      key={`${stack.key} ${bar.index}`}
                      x={bar.x}
                      y={bar.y}
                      width={Math.max(1, bar.width)}
                      height={bar.height}
                      fill={bar.color}
                      className={isUncertain(points[bar.index]!) ? styles.uncertain : undefined}
                    />
                  )),
              )
            }
          </BarStack>
          {shown !== undefined && (
            <Cursor x={x(points[shown]!.at)} width={x.bandwidth()} height={height - margin.bottom} />
          )}
          {selected && (
            <rect
              className={styles.selection}
              x={x(points[selected[0]]!.at)}
              y={0}
              width={(x(points[selected[1]]!.at) ?? 0) - (x(points[selected[0]]!.at) ?? 0) + x.bandwidth()}
              height={height - margin.bottom}
            />
          )}
          <rect
            className={onSelect ? styles.overlay : undefined}
            x={margin.left}
            width={Math.max(0, width - margin.left)}
            height={height}
            fill="transparent"
            onPointerMove={(event) => {
              setShown(points.length > 0 ? indexAt(event.nativeEvent.offsetX) : undefined);
              drag.onMove(event);
            }}
            onPointerLeave={() => setShown(undefined)}
            onPointerDown={onSelect && drag.onDown}
            onPointerUp={drag.onUp}
          />
        </svg>
      )}
    </figure>
  );
}
