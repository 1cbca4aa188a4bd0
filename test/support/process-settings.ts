import { randomBytes } from 'node:crypto';
import { services } from './services.ts';

/** No test sends so much. The tests of the limits set their own. */
const generousLimits = {
  RATE_LIMIT_READS_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
  RATE_LIMIT_CALLS_PER_MINUTE: '1000000',
  RATE_LIMIT_TOKENS_PER_MINUTE: '1000000000',
};

/** `OPTIMISATIONS=off npm test -- …` runs tests without the optional optimisations; tests of one of them switch it on themselves. */
const optimisationsOff = { SPECULATIVE_START: 'off' };

/** The settings of a gateway on the services of the run, without its database and its upstream. The name of its task queue begins with `name`. */
export const settingsOnServices = (name: string) => ({
  MASTER_KEY: `master-${randomBytes(32).toString('hex')}`,
  DATABASE_POOL_SIZE: '10',
  REDIS_URL: services.redisUrl,
  TEMPORAL_ADDRESS: services.temporalAddress,
  TEMPORAL_NAMESPACE: services.temporalNamespace,
  TEMPORAL_TASK_QUEUE: `${name}-${randomBytes(6).toString('hex')}`,
  WORKFLOW_BUNDLE: services.workflowBundlePath,
  DRAIN_SECONDS: '20',
  LAME_DUCK_SECONDS: '0',
  BCRYPT_COST: '10',
  ...generousLimits,
  ...(process.env.OPTIMISATIONS === 'off' && optimisationsOff),
});
