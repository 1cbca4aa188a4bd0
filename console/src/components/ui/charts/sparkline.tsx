import { lazy, Suspense } from 'react';
import { ChartPlaceholder } from './chart-placeholder.tsx';
import type { SparklineProps } from './sparkline-drawing.tsx';

const Drawing = lazy(() =>
  import('./sparkline-drawing.tsx').then(({ SparklineDrawing }) => ({ default: SparklineDrawing })),
);

const height = 24;

/** The course of a figure, without axes. It is loaded after the figures of the page. */
export const Sparkline = (props: SparklineProps) => (
  <Suspense fallback={<ChartPlaceholder height={height} />}>
    <Drawing {...props} />
  </Suspense>
);
