import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { cloneDatabase } from '../support/database.ts';
import { settingsOnServices } from '../support/process-settings.ts';
import type { Json } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { project, readStages } from './stages.ts';

const image = 'localhost/job-gateway:test';
const folderOfSecrets = '/run/secrets/job-gateway';

const run = (program: string, args: string[]): Promise<string> =>
  promisify(execFile)(program, args, { cwd: project, maxBuffer: 64 * 1_048_576 }).then(
    ({ stdout }) => stdout.trim(),
    (error) => {
      if (error.code === 'ENOENT') throw new Error(`this test needs ${program}: apt-get install buildah podman runc`);
      throw error;
    },
  );
const podman = (...args: string[]) => run('podman', args);

/** The base image of the Dockerfile: of this machine, of a registry, or made here. */
async function provideBase(): Promise<void> {
  const base = `docker.io/library/${readStages().get('final')!.base}`;
  if (await run('buildah', ['images', '--quiet', base]).catch(() => '')) return;
  const isPulled = await run('buildah', ['pull', '--quiet', base]).then(
    () => true,
    () => false,
  );
  if (isPulled) return;
  const npm = await run('npm', ['root', '--global']);
  await run(join(project, 'test/image/base-image.sh'), [base, process.execPath, join(npm, 'npm')]);
}

/** As the chart and compose run a container, in the network of this machine, where the services of the tests are. */
const hardened = [
  ['--network', 'host', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'],
  ['--read-only', '--read-only-tmpfs=false', '--tmpfs', '/tmp', '--cap-drop', 'all'],
  ['--security-opt', 'no-new-privileges'],
].flat();

const secrets = ['MASTER_KEY', 'DATABASE_URL', 'REDIS_URL'];

/** Runs programs of the image. Secrets are files, everything else variables. */
async function containersWith(settings: Record<string, string>) {
  // crun refuses the older kind of control groups.
  const isOld = (await podman('info', '--format', '{{.Host.CgroupsVersion}}')) === 'v1';
  const runtime = isOld ? ['--runtime', 'runc'] : [];
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-secrets-'));
  chmodSync(folder, 0o755);
  for (const name of secrets) writeFileSync(join(folder, name), settings[name]!);
  const started: string[] = [];
  const command = (program: string[], changes: Record<string, string>, options: string[]) => [
    ...[...runtime, 'run', ...hardened, '--volume', `${folder}:${folderOfSecrets}:ro`, ...options],
    ...Object.entries({ ...settings, ...changes }).flatMap(([name, value]) => [
      '--env',
      secrets.includes(name) ? `${name}_FILE=${folderOfSecrets}/${name}` : `${name}=${value}`,
    ]),
    ...[image, ...program],
  ];
  return {
    run: (program: string[], changes = {}, ...options: string[]) =>
      podman(...command(program, changes, ['--rm', ...options])),
    start: async (program: string[], changes = {}, ...options: string[]) => {
      const id = await podman(...command(program, changes, ['--detach', ...options]));
      started.push(id);
      return id;
    },
    /** Ends it by SIGTERM. Returns its exit code. */
    stop: async (id: string) => {
      await podman(...runtime, 'stop', '--time', '60', id);
      return podman('inspect', '--format', '{{.State.ExitCode}}', id);
    },
    close: async () => {
      for (const id of started) await podman(...runtime, 'rm', '--force', '--time', '1', id);
      rmSync(folder, { recursive: true });
    },
  };
}

test('the image is built, and its migrations, api and worker serve a paid job with a numeric user, a read-only root, no capability and secrets in files, and end on SIGTERM (operations 6.1) (spec 15.6, spec 15.16)', async () => {
  await provideBase();
  const isolated = ['--isolation', 'chroot', '--network', 'host', '--build-arg', 'REVISION=abc'];
  await run('buildah', ['bud', '--pull-never', '--layers', ...isolated, '--tag', image, '.']);
  const upstream = await startSimulator();
  const database = await cloneDatabase();
  const [port, probes] = [await freePort(), await freePort()];
  const containers = await containersWith({
    ...settingsOnServices('image'),
    DATABASE_URL: database.url,
    UPSTREAM_BASE_URL: upstream.url,
    HOST: '127.0.0.1',
    PORT: String(port),
    WORKFLOW_BUNDLE: '/app/workflow-bundle.js',
  });
  try {
    expect(await containers.run(['node', 'src/db/migrate.ts'])).toContain('migrated');
    // Some clusters give each namespace users of its own.
    const worker = await containers.start(
      ['node', 'src/worker.ts'],
      { METRICS_PORT: String(probes) },
      '--user',
      '1000710000:0',
    );
    const api = await containers.start(['node', 'src/api.ts']);
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

    const sampleJob = readFileSync(join(project, 'deploy/helm/job-gateway/files/sample-job.mjs'), 'utf8');
    const changes = { GATEWAY_URL: url, MODEL: 'gpt-4o-mini' };
    expect(await containers.run(['node', '--input-type=module', '--eval', sampleJob], changes)).toContain(
      'one job, one credit',
    );
    const paths = ['/console/', '/docs/', '/openapi.json', '/llms.txt', '/docs/openai.md'];
    const statuses = await Promise.all(paths.map((path) => fetch(url + path).then(({ status }) => status)));
    expect(statuses).toEqual(paths.map(() => 200));
    const ready = await fetch(`http://127.0.0.1:${probes}/health/ready`);
    expect(ready.status).toBe(200);
    expect([await containers.stop(worker), await containers.stop(api)]).toEqual(['0', '0']);

    const print = `const { readFileSync, writeFileSync } = require('node:fs');
      const status = readFileSync('/proc/self/status', 'utf8');
      let written = true;
      try { writeFileSync('/app/x', ''); } catch (error) { written = error.code; }
      console.log(JSON.stringify([process.getuid(), /CapBnd:\\s*(\\w+)/.exec(status)[1], written]))`;
    expect(JSON.parse(await containers.run(['node', '--eval', print]))).toEqual([1000, '0'.repeat(16), 'EROFS']);
  } finally {
    await containers.close();
    await upstream.close();
    await database.drop();
  }

  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const [{ User, Labels }] = JSON.parse(await podman('image', 'inspect', image)) as Json[];
  expect(User).toMatch(/^\d+:\d+$/);
  expect(Labels).toMatchObject({
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': 'abc',
  });
}, 1_800_000);

test('npm run sbom lists the packages of the image, each with its version, and no other', async () => {
  const { components } = JSON.parse(await run('npm', ['run', '--silent', 'sbom'])) as Json;
  const container = await run('buildah', ['from', '--pull-never', image]);
  const folder = await run('buildah', ['mount', container]);
  const installed = JSON.parse(readFileSync(join(folder, 'app/node_modules/.package-lock.json'), 'utf8')) as Json;
  await run('buildah', ['rm', container]);
  const inImage = Object.entries(installed.packages as Json).map(
    ([path, { version }]: [string, Json]) => `${path.split('node_modules/').at(-1)}@${version}`,
  );

  expect(inImage.length).toBeGreaterThan(100);
  expect([...new Set((components as Json[]).map(({ name, version }) => `${name}@${version}`))].sort()).toEqual(
    [...new Set(inImage)].sort(),
  );
}, 60_000);
