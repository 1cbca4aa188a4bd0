import type { ProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { launchProgram } from '../../tools/dev/programs.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import type { Services } from './start-services.ts';

/** Temporal without the gateway: one api process and one worker process. */
export async function startFloor(
  group: ProcessGroup,
  services: Services,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    REDIS_URL: services.redisUrl,
    TEMPORAL_ADDRESS: services.temporalAddress,
    TEMPORAL_TASK_QUEUE: 'bench-floor',
    UPSTREAM_BASE_URL: services.upstreamUrl,
    PORT: String(port),
    ...environment,
  };
  const request = { method: 'post', body: '{}', signal: AbortSignal.timeout(60_000) };
  const ready = async () => (await fetch(`${url}/create-and-call`, request)).status === 200;
  await Promise.all([
    group.start(async () => launchProgram('api', 'bench/floor/api.ts', settings, ready)),
    group.start(async () => launchProgram('worker', 'bench/floor/worker.ts', settings, ready)),
  ]);
  return url;
}
