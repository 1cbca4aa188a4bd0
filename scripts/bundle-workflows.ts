import { renameSync, writeFileSync } from 'node:fs';
import { bundleWorkflowCode } from '@temporalio/worker';
import { workflowSources } from '../src/worker/workflow-sources.ts';

/**
 * `node scripts/bundle-workflows.ts <file>` writes the file for `WORKFLOW_BUNDLE`. It saves each start of a worker two seconds of one core.
 */
const [file = ''] = process.argv.slice(2);
const { code } = await bundleWorkflowCode(workflowSources);
const draft = `${file}.draft.${process.pid}`;
writeFileSync(draft, code);
renameSync(draft, file);
