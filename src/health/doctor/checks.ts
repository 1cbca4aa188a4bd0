import { findRedisProblems, readRedisClock } from '../../redis/find-redis-problems.ts';
import { checkClocks } from './check-clocks.ts';
import { checkDatabase, checkMasterKey, checkRole } from './check-database.ts';
import { checkIssuer } from './check-issuer.ts';
import { checkSettings } from './check-settings.ts';
import { checkDynamicConfig, checkTemporal } from './check-temporal.ts';
import { checkUpstream } from './check-upstream.ts';
import { type Check, checkedAs } from './checked.ts';

/** An api starts without Redis; an installation needs it. */
const checkRedis: Check = async ({ config: { REDIS_URL } }) => {
  const [{ problems, warnings }, isReached] = await Promise.all([
    findRedisProblems(REDIS_URL),
    readRedisClock(REDIS_URL).then(
      () => true,
      () => false,
    ),
  ]);
  if (!isReached) return checkedAs('', { problems: [...problems, ...warnings] });
  return checkedAs('has every right that is needed, and evicts nothing', { problems, warnings });
};

/** Every check of `npm run doctor`, in the order in which their lines are printed. */
export const checks: Record<string, Check> = {
  settings: async ({ config }) => checkSettings(config),
  node: async () => checkedAs(`Node.js ${process.version}`),
  database: checkDatabase,
  role: checkRole,
  MASTER_KEY: checkMasterKey,
  redis: checkRedis,
  temporal: checkTemporal,
  'dynamic config': checkDynamicConfig,
  upstream: checkUpstream,
  OIDC_ISSUER: checkIssuer,
  clocks: checkClocks,
};
