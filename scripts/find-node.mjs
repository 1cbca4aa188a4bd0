import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const oldest = 20;

/** What runs this very file: enough to install the packages, among which is the Node.js that runs the rest. */
export function checkNode() {
  const [major] = process.versions.node.split('.');
  if (Number(major) >= oldest) return;
  throw new Error(
    `Node.js ${process.versions.node} is too old: this project needs ${oldest} or newer (https://nodejs.org).`,
  );
}

/** The package "node" brings it. Its install script fetches it; where scripts are switched off, it is asked for once more. */
export function ownNode(project) {
  const node = join(project, 'node_modules', '.bin', 'node');
  if (runs(node)) return node;
  spawnSync(...npm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']), {
    cwd: project,
    stdio: 'inherit',
  });
  if (runs(node)) return node;
  throw new Error(
    `${node} does not run. Remove node_modules and try again; the package "node" must be allowed its install script.`,
  );
}

const runs = (node) => spawnSync(node, ['--version']).status === 0;

/** The npm that started us, so that an old one on PATH does not take its place. */
export function npm(args) {
  const own = process.env.npm_execpath;
  return own?.endsWith('npm-cli.js') ? [process.execPath, [own, ...args]] : ['npm', args];
}
