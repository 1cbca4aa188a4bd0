import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** A process of its own beside the start of the services: webpack takes seconds of one core. */
const [target = ''] = process.argv.slice(2);
const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));
const { code } = await bundleWorkflowCode({ workflowsPath });
writeFileSync(target, code);
