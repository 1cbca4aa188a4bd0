import { getBurnRate } from './get-burn-rate.ts';
import { getMargins } from './get-margins.ts';
import { getModelHealth } from './get-model-health.ts';
import { getOrganizationUsage } from './get-organization-usage.ts';
import { getOverview } from './get-overview.ts';
import { getStatement } from './get-statement.ts';
import { getTeamUsage } from './get-team-usage.ts';
import { getUsageSeries } from './get-usage-series.ts';

export const figureRoutes = [
  getTeamUsage,
  getStatement,
  getOrganizationUsage,
  getUsageSeries,
  getOverview,
  getMargins,
  getModelHealth,
  getBurnRate,
];
