import { lazy, Suspense } from 'react';
import { ChartPlaceholder, readoutHeight } from '../../components/ui/charts/chart-placeholder.tsx';
import type { SeriesChartProps } from './series-chart.tsx';

const Chart = lazy(() => import('./series-chart.tsx').then(({ SeriesChart }) => ({ default: SeriesChart })));

const height = 240;

/** A series as bars. The chart is loaded after the figures of the page. */
export const SeriesBars = (props: Omit<SeriesChartProps, 'height'>) => (
  <Suspense fallback={<ChartPlaceholder height={height + readoutHeight} />}>
    <Chart height={height} {...props} />
  </Suspense>
);
