import { scaleLinear } from '@visx/scale';
import { LinePath } from '@visx/shape';
import styles from './charts.module.css';

export interface SparklineProps {
  /** The values in their order; null where nothing is known, which is drawn as a gap. */
  values: readonly (number | null)[];
}

const width = 120;
const height = 24;
const inset = 2;

/** The line of a sparkline. The value is in the figure beside it. */
export function SparklineDrawing({ values }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const x = scaleLinear({ domain: [0, Math.max(1, values.length - 1)], range: [inset, width - inset] });
  const y = scaleLinear({
    domain: [Math.min(0, ...known), Math.max(1e-12, ...known)],
    range: [height - inset, inset],
  });
  return (
    <svg className={styles.spark} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
      <LinePath
        data={[...values]}
        defined={(value) => value !== null}
        x={(_, index) => x(index)}
        y={(value) => y(value ?? 0)}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
