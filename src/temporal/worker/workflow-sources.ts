import { fileURLToPath } from 'node:url';

const workflow = (file: string) => fileURLToPath(new URL(`../../../workflows/${file}`, import.meta.url));

/**
 * What workflows are bundled from. No module has state, so all workflows of a thread share the modules: a job starts without
 * loading any.
 */
export const workflowSources = {
  workflowsPath: workflow('index.ts'),
  preloadModules: [workflow('disable-promise-stack-traces.ts'), workflow('index.ts')],
};
