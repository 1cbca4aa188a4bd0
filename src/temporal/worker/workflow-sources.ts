import { fileURLToPath } from 'node:url';

const workflow = (file: string) => fileURLToPath(new URL(`../../../workflows/${file}`, import.meta.url));

/**
 * What workflows are bundled from. None of the modules keeps state, so all workflows of a thread share them: a job begins
 * without loading any.
 */
export const workflowSources = {
  workflowsPath: workflow('index.ts'),
  preloadModules: [workflow('disable-promise-stack-traces.ts'), workflow('index.ts')],
};
