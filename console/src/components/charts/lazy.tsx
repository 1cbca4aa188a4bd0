import { lazy, Suspense } from 'react';
import type { OutcomeBarsProps } from './outcome-bars.tsx';

const Bars = lazy(() => import('./outcome-bars.tsx').then(({ OutcomeBars }) => ({ default: OutcomeBars })));

/** Charts come in a chunk of their own, after the figures of the page. Their place is kept. */
export const OutcomeBars = (props: OutcomeBarsProps) => (
  <Suspense fallback={<div style={{ height: (props.height ?? 96) + 20 }} />}>
    <Bars {...props} />
  </Suspense>
);
