import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/**
 * `node scripts/bundle-workflows.ts <file>`: what `WORKFLOW_BUNDLE` names. Made once, it spares every worker that starts two
 * seconds of one core.
 */
const [file = ''] = process.argv.slice(2);
const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url));
const { code } = await bundleWorkflowCode({ workflowsPath });
// Temporal's SDK notes the stack of every promise that a workflow makes, for a query that nobody sends: a third of the
// workflow thread's time. Errors of workflows say the two places next to where they were thrown.
writeFileSync(`${file}.draft`, `Error.stackTraceLimit = 2;${code}`);
renameSync(`${file}.draft`, file);
