import { lazy, Suspense } from 'react';
import type { OutcomeBarsProps } from './outcome-bars.tsx';
import type { SeriesBarsProps } from './series-bars.tsx';
import type { SparklineProps } from './sparkline.tsx';

const Bars = lazy(() => import('./outcome-bars.tsx').then(({ OutcomeBars }) => ({ default: OutcomeBars })));
const Series = lazy(() => import('./series-bars.tsx').then(({ SeriesBars }) => ({ default: SeriesBars })));
const Spark = lazy(() => import('./sparkline.tsx').then(({ Sparkline }) => ({ default: Sparkline })));

const barsHeight = 96;
const seriesHeight = 200;
const readoutHeight = 20;
const sparkHeight = 24;

const Place = ({ height }: { height: number }) => <div style={{ height }} />;

/** Charts are loaded as a chunk of their own, after the figures of the page; an element of their height keeps their place. */
export const OutcomeBars = (props: OutcomeBarsProps) => (
  <Suspense fallback={<Place height={(props.height ?? barsHeight) + readoutHeight} />}>
    <Bars {...props} />
  </Suspense>
);

export const Sparkline = (props: SparklineProps) => (
  <Suspense fallback={<Place height={sparkHeight} />}>
    <Spark {...props} />
  </Suspense>
);

export const SeriesBars = (props: SeriesBarsProps) => (
  <Suspense fallback={<Place height={(props.height ?? seriesHeight) + readoutHeight} />}>
    <Series {...props} />
  </Suspense>
);
