import { canMakeCalls } from '../../tools/dev/can-make-calls.ts';
import type { ProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { bundleWorkflows, launchProgram, runScript } from '../../tools/dev/programs.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import type { Services } from './start-services.ts';

export interface Gateway {
  url: string;
  masterKey: string;
}

/** Higher than any machine can reach: the limits are checked and refuse nothing. */
const limits = {
  RATE_LIMIT_READS_PER_MINUTE: '1000000000',
  RATE_LIMIT_WRITES_PER_MINUTE: '1000000000',
  RATE_LIMIT_CALLS_PER_MINUTE: '1000000000',
  RATE_LIMIT_TOKENS_PER_MINUTE: '1000000000',
};

/** One api and its workers, settings as in production. */
export async function startGateway(
  group: ProcessGroup,
  services: Services,
  environment: NodeJS.ProcessEnv,
  workers = ['worker'],
): Promise<Gateway> {
  await runScript('src/db/migrate.ts', [], { DATABASE_URL: services.databaseUrl });
  const workflowBundle = await bundleWorkflows(group.folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const masterKey = 'bench-master-key-of-at-least-32-characters';
  const settings = {
    MASTER_KEY: masterKey,
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    TEMPORAL_TASK_QUEUE: 'bench-gateway',
    UPSTREAM_BASE_URL: services.upstreamUrl,
    UPSTREAM_MASTER_KEY: 'sk-bench-upstream',
    LOG_LEVEL: 'info',
    LAME_DUCK_SECONDS: '0',
    DRAIN_SECONDS: '20',
    HOST: '127.0.0.1',
    PORT: String(port),
    ...environment,
    WORKFLOW_BUNDLE: workflowBundle,
    ...limits,
  };
  const ready = () => canMakeCalls(url);
  await Promise.all([
    group.start(async () => launchProgram('api', 'src/api.ts', settings, ready)),
    ...workers.map((name) => group.start(async () => launchProgram(name, 'src/worker.ts', settings, ready))),
  ]);
  return { url, masterKey };
}
