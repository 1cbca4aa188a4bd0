import { lazy, Suspense } from 'react';
import { ChartPlaceholder, readoutHeight } from '../../components/ui/charts/chart-placeholder.tsx';
import type { MarginChartProps } from './margin-chart.tsx';

const Chart = lazy(() => import('./margin-chart.tsx').then(({ MarginChart }) => ({ default: MarginChart })));

const height = 200;

/** The margin over time. The chart is loaded after the figures of the page. */
export const MarginCourse = (props: Omit<MarginChartProps, 'height'>) => (
  <Suspense fallback={<ChartPlaceholder height={height + readoutHeight} />}>
    <Chart height={height} {...props} />
  </Suspense>
);
