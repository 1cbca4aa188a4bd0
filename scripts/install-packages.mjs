import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { npm, requiredOptionalPackages } from './find-node.mjs';

/**
 * Installs the packages when node_modules does not match package-lock.json; otherwise it takes some milliseconds. Without `dev` the packages
 * of development may be missing.
 */
export async function installPackages(project, { dev = true } = {}) {
  if (isInstalled(project, dev)) return;
  const unlock = await lock(project);
  try {
    // Another process may have installed them while this one waited.
    if (!isInstalled(project, dev)) await install(project, dev);
  } finally {
    unlock();
  }
}

/** Compares the list that npm writes at the end of an installation. It also matches after a developer's `npm install`. */
function isInstalled(project, dev) {
  const wanted = readLock(join(project, 'package-lock.json'));
  const installed = readLock(join(project, 'node_modules', '.package-lock.json'));
  const required = requiredOptionalPackages(project).map((name) => `node_modules/${name}`);
  // Packages of other platforms are never installed.
  const mayBeMissing = (path) => !required.includes(path);
  return Object.entries(wanted).every(
    ([path, { version, optional, ...wanted }]) =>
      path === '' ||
      installed[path]?.version === version ||
      (!installed[path] && ((optional && mayBeMissing(path)) || (!dev && wanted.dev))),
  );
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

async function install(project, dev) {
  // `npm ci` removes what is there, perhaps under a running `npm start`: where only packages of development are missing, they are added.
  const isAddition = dev && isInstalled(project, false);
  console.error(`Installing the packages (npm ${isAddition ? 'install' : 'ci'}): up to a minute the first time …`);
  const startedAt = Date.now();
  const timer = setInterval(() => console.error(`  … ${Math.round((Date.now() - startedAt) / 1000)} s so far`), 15_000);
  // With NODE_ENV=production npm would omit half of them.
  const args = [
    ...(isAddition ? ['install', '--no-save'] : ['ci']),
    dev ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const [command, parameters] = npm(args);
  const outcome = await new Promise((resolve) => {
    const child = spawn(command, parameters, { cwd: project, stdio: ['ignore', 2, 2] });
    child.once('error', (error) => resolve(error.code === 'ENOENT' ? 'npm is not on PATH' : error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? '' : `it ended with ${signal ?? `exit code ${code}`}`));
  });
  clearInterval(timer);
  if (outcome === '') return console.error(`Installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  throw new Error(
    `The packages could not be installed: ${outcome}. The output of npm is above. The installation needs npm 9 or newer, access to a package ` +
      `registry (see "npm config get registry" and "npm ping"), and some 800 MB of disk.`,
  );
}

/** Two installations at the same time would remove each other's files. The lock of a process that died is removed. */
async function lock(project) {
  const file = join(project, '.cache', 'install.lock');
  mkdirSync(join(project, '.cache'), { recursive: true });
  for (let printed = false; ; printed = true) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!printed) console.error('Another process is installing the packages: waiting for it …');
    if (isAbandoned(file)) rmSync(file, { force: true });
    else await pause(500);
  }
}

function isAbandoned(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')) || 2 ** 22 + 1, 0);
    return Date.now() - statSync(file).mtimeMs > 30 * 60_000;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
