import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { cloneDatabase } from '../support/database.ts';
import { settingsOnServices } from '../support/process-settings.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { copyStage, linkPackages, readStages } from './stages.ts';

/**
 * Each stage of the Dockerfile in a folder of its own that has only what its lines copy. `npm run test:image` builds the image
 * itself, which takes minutes.
 */
const stages = readStages();
const root = mkdtempSync(join(tmpdir(), 'job-gateway-image-'));
const folderOf = (stage: string) => join(root, stage);
afterAll(() => rmSync(root, { recursive: true }));

const environment = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

beforeAll(async () => {
  for (const name of ['bundle', 'console']) {
    const stage = stages.get(name)!;
    copyStage(stages.get(stage.base)!, folderOf(name));
    copyStage(stage, folderOf(name));
    linkPackages(folderOf(name), 'all');
    for (const run of stage.runs) {
      const [program, ...args] = run.split(' ');
      if (program !== 'node') throw new Error(`RUN ${run}: this test runs programs of Node.js only`);
      await promisify(execFile)(process.execPath, args, { cwd: folderOf(name), env: environment });
    }
  }
  copyStage(stages.get('final')!, folderOf('final'), { bundle: folderOf('bundle'), console: folderOf('console') });
  linkPackages(folderOf('final'), 'production');
}, 180_000);

/** A program with the files and packages of the image. */
function start(program: string, settings: NodeJS.ProcessEnv) {
  const env = {
    ...environment,
    NODE_ENV: 'production',
    WORKFLOW_BUNDLE: join(folderOf('final'), 'workflow-bundle.js'),
    ...settings,
  };
  return spawn(process.execPath, ['--preserve-symlinks', program], {
    cwd: folderOf('final'),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

test('the files that the Dockerfile copies are enough for migrations, api and worker, with the packages of production, and run as a numeric user (spec 15.16)', async () => {
  const database = await cloneDatabase();
  const [port, probes] = [await freePort(), await freePort()];
  const settings = {
    ...settingsOnServices('image'),
    DATABASE_URL: database.url,
    UPSTREAM_BASE_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'warn',
  };
  const [code] = await once(start('src/db/migrate.ts', settings), 'exit');
  const running = [
    start('src/api.ts', { ...settings, PORT: String(port) }),
    start('src/worker.ts', {
      ...settings,
      METRICS_PORT: String(probes),
      WORKFLOW_BUNDLE: join(folderOf('final'), 'workflow-bundle.js'),
    }),
  ];
  try {
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

    const statuses = await Promise.all(
      ['/console/', '/docs/', '/openapi.json', '/llms.txt', '/docs/openai.md'].map(async (path) => [
        path,
        (await sendRequest(url, 'get', path)).status,
      ]),
    );

    expect(code).toBe(0);
    expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^USER 1000:1000$/m);
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    const exits = running.map((child) => once(child, 'exit'));
    for (const child of running) child.kill('SIGTERM');
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0]);
  } finally {
    for (const child of running) child.kill('SIGKILL');
    await database.drop();
  }
}, 180_000);
