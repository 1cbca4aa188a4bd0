import { getBurnRate } from './get-burn-rate.ts';
import { getErrors } from './get-errors.ts';
import { getMargins } from './get-margins.ts';
import { getModelHealth } from './get-model-health.ts';
import { getOrganizationUsage } from './get-organization-usage.ts';
import { getOverview } from './get-overview.ts';
import { getStatement } from './get-statement.ts';
import { getTeamUsage } from './get-team-usage.ts';
import { getUsageSeries } from './get-usage-series.ts';
import { listFailedCalls } from './list-failed-calls.ts';
import { listFilterValues } from './list-filter-values.ts';

export const figureRoutes = [
  getTeamUsage,
  getStatement,
  getOrganizationUsage,
  getUsageSeries,
  getOverview,
  getMargins,
  getModelHealth,
  getErrors,
  listFailedCalls,
  listFilterValues,
  getBurnRate,
];
