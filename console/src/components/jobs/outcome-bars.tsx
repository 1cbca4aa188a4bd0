import { lazy, Suspense } from 'react';
import { ChartPlaceholder, readoutHeight } from '../ui/charts/chart-placeholder.tsx';
import type { OutcomeChartProps } from './outcome-chart.tsx';

const Chart = lazy(() => import('./outcome-chart.tsx').then(({ OutcomeChart }) => ({ default: OutcomeChart })));

const defaultHeight = 96;

/** Jobs over time, by outcome. The chart is loaded after the figures of the page. */
export const OutcomeBars = ({
  height = defaultHeight,
  ...rest
}: Omit<OutcomeChartProps, 'height'> & { height?: number }) => (
  <Suspense fallback={<ChartPlaceholder height={height + readoutHeight} />}>
    <Chart height={height} {...rest} />
  </Suspense>
);
