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
writeFileSync(`${file}.draft`, code);
renameSync(`${file}.draft`, file);
