import type { Health } from '../../src/health/health.ts';
import type { Print } from './print.ts';
import { runSampleJob } from './sample-job.ts';
import type { Gateway } from './start-gateway.ts';
import type { Services } from './start-services.ts';
import type { Upstream } from './start-upstream.ts';
import type { Supervisor } from './supervisor.ts';

type Running = { gateway: Gateway; services: Services; upstream: Upstream };

/** Writes where everything runs to `run.json`, runs the sample job, and prints the addresses. */
export async function presentGateway(supervisor: Supervisor, { gateway, services, upstream }: Running): Promise<void> {
  supervisor.publish({
    api: { pid: null, url: gateway.url },
    worker: { pid: null },
    postgres: { pid: null, url: services.databaseUrl },
    redis: { pid: null, url: services.redisUrl },
    temporal: { pid: null, address: services.temporal.address, ui_url: services.temporal.uiUrl ?? null },
    upstream: { pid: null, url: upstream.url },
  });
  supervisor.print(`Ready after ${process.uptime().toFixed(1)} s.`);
  await printUnavailable(gateway.url, supervisor.print);
  if (process.env.SAMPLE_JOB !== 'off') await runSampleJob(gateway, upstream.models, supervisor.print);
  printAddresses(supervisor, gateway, services);
}

/** The gateway is ready without Redis: a wrong `REDIS_URL` would show only in late streams and in limits that are not shared. */
async function printUnavailable(url: string, print: Print): Promise<void> {
  const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) });
  const { dependencies } = (await response.json()) as { dependencies: Health };
  const unavailable = Object.entries(dependencies).filter(([, state]) => state === 'down');
  for (const [name] of unavailable) print(`  Unavailable: ${name}. The gateway keeps reconnecting; see ${url}/health.`);
}

function printAddresses(supervisor: Supervisor, gateway: Gateway, services: Services): void {
  supervisor.print(
    [
      '',
      `  API            ${gateway.url}`,
      `  Console        ${gateway.url}/console`,
      `  Documentation  ${gateway.url}/docs`,
      `  Temporal UI    ${services.temporal.uiUrl ?? 'with the Temporal that TEMPORAL_ADDRESS names'}`,
      `  Data and logs  ${supervisor.folder}`,
      `  MASTER_KEY     ${gateway.masterKeyFile ? `in ${gateway.masterKeyFile}` : 'as configured'}`,
      '',
      'Ctrl-C ends everything that was started here.',
    ].join('\n'),
  );
}
