import { parseArgs } from 'node:util';
import { createSecrets } from './auth/secrets.ts';
import { type Config, loadConfig } from './config.ts';
import { openDatabase } from './db/connection/database.ts';
import { Unavailable } from './errors.ts';
import { createLog } from './log.ts';
import { type Found, findDisagreements } from './services/workflows/find-disagreements.ts';
import { type Resolving, resolutionOf, resolveDisagreement } from './services/workflows/resolve-disagreement.ts';
import { alwaysAvailable } from './temporal/commands/availability.ts';
import { createDeliveries } from './temporal/commands/deliveries.ts';
import { createJobs } from './temporal/commands/jobs.ts';
import { openTemporal } from './temporal/connection/open-temporal.ts';

const usage = 'npm run reconcile -- [--apply] [--since <time, like 2026-11-27T08:00:00Z>]';
/** More than what is late in Temporal's visibility, and than the time between the end of a job and that of its workflow. */
const settledForSeconds = 60;
const dayMs = 86_400_000;

function readOptions(): { apply: boolean; since: Date | undefined } {
  const { values } = parseArgs({ options: { apply: { type: 'boolean', default: false }, since: { type: 'string' } } });
  const since = values.since === undefined ? undefined : new Date(values.since);
  if (since && Number.isNaN(since.getTime())) throw new Error(`--since is a time\nusage: ${usage}`);
  return { apply: values.apply, since };
}

/** Jobs that ended longer ago than `JOB_RETENTION_DAYS` are deleted: Temporal may still have their workflows. */
function endedSince({ JOB_RETENTION_DAYS: days }: Config, since: Date | undefined): Date | undefined {
  if (days === undefined) return since;
  return new Date(Math.max(since?.getTime() ?? 0, Date.now() - days * dayMs));
}

const describe = (found: Found) => {
  const { workflowId: workflow, team, disagreement, end } = found;
  return { workflow, team, disagreement, ...end, resolution: resolutionOf(found) };
};

async function openResolving(config: Config, closing: AsyncDisposableStack): Promise<Resolving> {
  const log = createLog('fatal', 'reconcile');
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: 4, stallTimeoutMs: 60_000 });
  closing.defer(() => database.close());
  const temporal = openTemporal(config, log);
  closing.defer(() => temporal.close());
  const deliveries = createDeliveries({
    database,
    temporal,
    log,
    delaysMs: config.WEBHOOK_RETRY_DELAYS,
    perMinute: config.WEBHOOK_DELIVERIES_PER_MINUTE,
  });
  closing.defer(() => deliveries.close());
  const secrets = createSecrets(config.MASTER_KEY, config.MASTER_KEY_PREVIOUS);
  const jobs = createJobs({ secrets, temporal, database }, alwaysAvailable, {
    idle: { jobMs: config.JOB_IDLE_TIMEOUT, taskJobMs: config.TASK_JOB_IDLE },
    version: config.JOB_VERSION,
  });
  return { database, temporal, jobs, deliveries };
}

/**
 * `npm run reconcile`, with the environment of a worker: compares the workflows of jobs and deliveries with the record, which is older
 * than Temporal after a restore, and prints each on which they disagree, as a line of JSON. With `--apply` it ends or resumes them. It
 * may run beside a serving installation, and be repeated. `spec 15.14`
 */
async function reconcile(): Promise<boolean> {
  const { apply, since } = readOptions();
  const config = loadConfig(process.env);
  await using closing = new AsyncDisposableStack();
  const deps = await openResolving(config, closing);
  const counts = { compared: 0, found: 0, failed: 0 };
  const compared = (workflows: number) => {
    counts.compared += workflows;
  };
  const options = { endedSince: endedSince(config, since), settledForSeconds };
  for await (const found of findDisagreements(deps, options, compared)) {
    counts.found += 1;
    const failure = apply ? await resolveDisagreement(deps, found).then(() => undefined, messageOf) : undefined;
    if (failure !== undefined) counts.failed += 1;
    console.log(JSON.stringify({ ...describe(found), ...(failure !== undefined && { failure }) }));
  }
  console.log(JSON.stringify(counts));
  return apply ? counts.failed === 0 : counts.found === 0;
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return error instanceof Unavailable && cause instanceof Error ? `${message}: ${cause.message}` : message;
}

try {
  if (!(await reconcile())) process.exitCode = 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
process.exit();
