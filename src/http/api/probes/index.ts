import { getHealth } from './get-health.ts';
import { getLiveness } from './get-liveness.ts';
import { getMetrics } from './get-metrics.ts';
import { getReadiness } from './get-readiness.ts';

export const probeRoutes = [getHealth, getLiveness, getReadiness, getMetrics];
