import { parseArgs } from 'node:util';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { readSettings } from './config/read-settings.ts';
import { type Config, ReplaySettings } from './config.ts';
import { createLog } from './log.ts';
import { openTemporal } from './temporal/connection/open-temporal.ts';
import { installRuntime } from './worker/run-worker.ts';
import { workflowOptions } from './worker/workflow-sources.ts';

const usage = 'npm run replay -- [--address <host:port>] [--query <visibility query>] [--limit <number>]';

/** The histories that match, as they are now. One that Temporal deletes meanwhile is skipped. */
async function* readHistories({ workflow }: Client, query: string, limit: number) {
  let read = 0;
  for await (const { workflowId, runId } of workflow.list({ query })) {
    if (read === limit) return;
    const history = await workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
      .catch((error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return undefined;
        throw error;
      });
    if (!history) continue;
    read += 1;
    yield { workflowId, history };
  }
}

/**
 * `npm run replay`: executes the histories of a running installation with the workflows of this version, without effects and
 * without changing them. Fails at the first that this code would continue differently: its job would stop after an upgrade, or a
 * rollback, to this version. `spec 15.10`
 */
async function replay(): Promise<number> {
  const { values } = parseArgs({
    options: { address: { type: 'string' }, query: { type: 'string' }, limit: { type: 'string', default: '500' } },
  });
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1) throw new Error(`--limit is a positive number\nusage: ${usage}`);
  const given = values.address ? { TEMPORAL_ADDRESS: values.address } : {};
  const config = readSettings(ReplaySettings, { ...process.env, ...given }) as Config;
  const query = values.query ?? `TaskQueue = '${config.TEMPORAL_TASK_QUEUE}' and ExecutionStatus = 'Running'`;
  const log = createLog('fatal', 'replay');
  installRuntime(log);
  const temporal = openTemporal(config, log);
  let replayed = 0;
  try {
    const results = Worker.runReplayHistories(workflowOptions(config), readHistories(temporal.client, query, limit));
    for await (const { workflowId, runId, error } of results) {
      if (error) throw new Error(`${workflowId} (run ${runId}) does not replay: ${error.message}`);
      replayed += 1;
    }
    return replayed;
  } finally {
    await temporal.close();
  }
}

try {
  console.log(JSON.stringify({ replayed: await replay() }));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
process.exit();
