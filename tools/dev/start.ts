import { withSecretFiles } from '../../src/config/read-settings.ts';
import type { Health } from '../../src/liveness/health.ts';
import type { Print } from './print.ts';
import { buildConsole, bundleWorkflows } from './programs.ts';
import { runSampleJob } from './sample-job.ts';
import { type Gateway, startGateway } from './start-gateway.ts';
import { type Services, startServices } from './start-services.ts';
import { Supervisor } from './supervisor.ts';

/** `npm start`: starts the services that are not configured, migrates, starts the gateway, runs one job through it, and keeps running. */
async function start(): Promise<void> {
  useSecretFiles();
  const startedAt = performance.now();
  const supervisor = new Supervisor();
  endOnSignal(supervisor);
  try {
    supervisor.print('Starting what is not configured …');
    await supervisor.endLeftovers();
    const [services, workflowBundle] = await Promise.all([
      startServices(supervisor),
      bundleWorkflows(supervisor.folder),
      buildConsole(),
    ]);
    const gateway = await startGateway(supervisor, services, workflowBundle);
    supervisor.publish({
      api: { pid: null, url: gateway.url },
      worker: { pid: null },
      postgres: { pid: null, url: services.databaseUrl },
      redis: { pid: null, url: services.redisUrl },
      temporal: { pid: null, address: services.temporal.address, ui_url: services.temporal.uiUrl ?? null },
      upstream: { pid: null, url: services.upstream.url },
    });
    supervisor.print(`Ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
    await printUnavailable(gateway.url, supervisor.print);
    if (process.env.SAMPLE_JOB !== 'off') await runSampleJob(gateway, services.upstream.models, supervisor.print);
    printAddresses(supervisor, gateway, services);
  } catch (error) {
    // A start that is interrupted fails for that reason, and `endOnSignal` prints the message.
    if (supervisor.record.closed) return;
    console.error(`\n${(error as Error).message}`);
    await supervisor.end();
    process.exit(1);
  }
}

/** A secret in a file counts as configured, and reaches the processes as a variable. */
function useSecretFiles(): void {
  const { present, problems } = withSecretFiles(process.env);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  for (const name of Object.keys(present)) delete process.env[`${name}_FILE`];
  Object.assign(process.env, present);
}

/** Ends all processes, in order and once, on Ctrl-C, SIGTERM, a closed terminal, or when npm was killed. */
function endOnSignal(supervisor: Supervisor): void {
  let endingSince: number | undefined;
  const end = async (reason: string) => {
    if (endingSince !== undefined) {
      // Ctrl-C arrives twice: from the terminal, and forwarded by npm.
      if (performance.now() - endingSince > 1_000) supervisor.print('Still ending …');
      return;
    }
    endingSince = performance.now();
    supervisor.print(`${reason}: ending everything that was started here …`);
    await supervisor.end();
    supervisor.print('All ended.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(signal));
  // The reader of the output may exit first.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  if (process.env.npm_lifecycle_event) endWithParent(() => void end('npm has exited'));
}

function endWithParent(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, 1_000);
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

start().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
