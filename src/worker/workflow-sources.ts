import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';

const workflow = (file: string) => fileURLToPath(new URL(`../../workflows/${file}`, import.meta.url));

/**
 * What workflows are bundled from. No module has state, so all workflows of a thread share the modules: a job starts without
 * loading any.
 */
export const workflowSources = {
  workflowsPath: workflow('index.ts'),
  preloadModules: [workflow('disable-promise-stack-traces.ts'), workflow('index.ts')],
};

/** A bundle that was built ahead, or the sources, bundled now. */
export function workflowOptions({ WORKFLOW_BUNDLE: codePath }: Pick<Config, 'WORKFLOW_BUNDLE'>) {
  if (codePath) return { workflowBundle: { codePath } };
  const { workflowsPath, preloadModules } = workflowSources;
  return { workflowsPath, bundlerOptions: { preloadModules } };
}
