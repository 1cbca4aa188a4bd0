import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { JobGateway } from '../../clients/typescript/src/index.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type GivenTeam, givenIn } from '../support/given.ts';
import { until } from '../support/until.ts';

/** The archive of the client, installed into an empty project, and every program of its README and its examples. */
const gateway = gatewayForTests({ settings: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
const given = givenIn(gateway);
const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'clients/typescript');
const run = promisify(execFile);

const readme = [...readFileSync(join(source, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
const programs: Record<string, string> = Object.fromEntries([
  ...readme.map(([, text], index) => [`readme-${index + 1}.ts`, text!]),
  ...globSync('examples/*.ts', { cwd: source }).map((file) => [
    basename(file),
    readFileSync(join(source, file), 'utf8'),
  ]),
]);
const isReceiver = (name: string): boolean => programs[name]!.includes('createServer');

let project: string;
let team: GivenTeam;
let environment: Record<string, string>;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'client-'));
  const archives = join(project, 'archives');
  mkdirSync(archives);
  await run('npm', ['pack', '--silent', '--pack-destination', archives], { cwd: source });
  // No registry is needed: the package of the project itself is the only dependency.
  const parser = join(root, 'node_modules/eventsource-parser');
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', archives, parser], { cwd: project });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  const files = globSync('*.tgz', { cwd: archives }).map((file) => `./archives/${file}`);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], { cwd: project });
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(project, name), text);

  const smart = await given.modelGroup(['sim-ok'], 'smart');
  const price = { input_price_per_million: 1, output_price_per_million: 4 };
  await given.admin('put', `/api/model-groups/${smart}`, { models: [{ model_name: 'sim-ok', ...price }] });
  team = await given.team({ credits: 100, rpm_limit: 10_000 });
  await given.admin('put', `/api/teams/${team.teamId}/model-groups`, { model_groups: [smart] });
  const { url, masterKey } = gateway.current;
  environment = {
    PATH: process.env.PATH!,
    JOB_GATEWAY_BASE_URL: url,
    JOB_GATEWAY_API_KEY: team.key,
    JOB_GATEWAY_TEAM_ID: team.teamId,
    JOB_GATEWAY_ADMIN_TOKEN: masterKey,
  };
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

const execute = async (name: string, ...args: string[]): Promise<string> => {
  const flags = ['--disable-warning=ExperimentalWarning', name, ...args];
  return (await run(process.execPath, flags, { cwd: project, env: environment })).stdout;
};

test('the archive has the built client, its README and its examples, and nothing else (clients 1)', async () => {
  const files = globSync('**/*', { cwd: join(project, 'node_modules/@job-gateway/client') });

  expect(files).toEqual(
    expect.arrayContaining(['README.md', 'package.json', 'examples/report.ts', 'dist/index.js', 'dist/index.d.ts']),
  );
  expect(files.filter((file) => !/^(dist|examples|README\.md|package\.json)/.test(file))).toEqual([]);
});

const options = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
};
const all = ['*.ts'];
const bare = ['bare.ts'];
const platforms: Record<string, [settings: object, files: string[]]> = {
  'with the types of Node.js': [
    { lib: ['es2023'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    all,
  ],
  'with those of browsers': [{ lib: ['es2023', 'dom'], types: [] }, bare],
  'with neither': [{ lib: ['es2023'], types: [] }, bare],
  'for a bundler': [{ lib: ['es2023', 'dom'], types: [], module: 'esnext', moduleResolution: 'bundler' }, bare],
};

test.each(Object.entries(platforms))(
  'an empty project that is as strict as can be compiles, %s (clients 9)',
  async (_, [settings, include]) => {
    writeFileSync(
      join(project, 'bare.ts'),
      `import { JobGateway, type ChatMessage, type WebhookPayload, verifyWebhook } from '@job-gateway/client';
     const messages: ChatMessage[] = [{ role: 'user', content: 'x' }];
     const purpose: string | undefined = messages[0]?.content;
     export const text = (await new JobGateway().jobs.createAndCall({ job_type: 'a', model: 'm', messages, purpose })).response.content;
     export const event: WebhookPayload = await verifyWebhook('', {}, 'whsec_x');
     if (event.event === 'job.completed') event.data.credits_charged.toFixed();
     // @ts-expect-error: an unknown field
     await new JobGateway().jobs.create({ job_type: 'a', jobtype: 'b' });`,
    );
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...options, ...settings }, include }),
    );

    const { stdout } = await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      project,
    ]).catch((error: { stdout: string }) => error);

    expect(stdout).toBe('');
  },
);

test.each(Object.keys(programs).filter((name) => !isReceiver(name)))('%s runs as it is (clients 9)', async (name) => {
  expect(await execute(name)).toBeDefined();
});

test('the story of the README is a job of two calls and one credit (clients 9)', async () => {
  const client = new JobGateway({ baseUrl: gateway.current.url, apiKey: team.key, teamId: team.teamId });
  const before = await client.team.getCredits();

  const output = await execute('readme-1.ts');

  const { credits_used, credits_remaining } = await client.team.getCredits();
  expect(credits_used).toBe(before.credits_used + 1);
  expect(output).toMatch(new RegExp(`\\w[\\s\\S]*2 true ${credits_remaining}\n$`));
});

test('a call in the background of one process is waited for by another (clients 5)', async () => {
  const ids = (await execute('background.ts')).trim().split(' ');

  expect(await execute('background.ts', ...ids)).toMatch(/\w/);
});

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
};

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

test.each(Object.keys(programs).filter(isReceiver))(
  '%s verifies the deliveries of the gateway (clients 6)',
  async (name) => {
    const { jobs, webhooks } = new JobGateway({ baseUrl: gateway.current.url, apiKey: team.key, teamId: team.teamId });
    const port = await freePort();
    const { webhook_id, secret } = await webhooks.register({
      webhook_url: `http://127.0.0.1:${port}/`,
      events: ['job.completed'],
    });
    const env = {
      ...environment,
      PORT: String(port),
      WEBHOOK_SECRET: secret,
      WEBHOOK_SECRETS: `${secret},whsec_b3RoZXI=`,
    };
    const receiver = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', name], { cwd: project, env });
    try {
      let output = '';
      receiver.stdout.on('data', (text) => {
        output += text;
      });
      await until(() => listens(port));
      const { job_id } = await jobs.createAndCall({
        job_type: 'a',
        model: 'smart',
        messages: [{ role: 'user', content: 'x' }],
      });

      await until(() => output.includes(job_id));

      const [delivery] = await webhooks.listDeliveries(webhook_id).toArray();
      expect(delivery).toMatchObject({ event: 'job.completed' });
      const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
      expect(forged.status).toBe(401);
    } finally {
      receiver.kill();
      await webhooks.delete(webhook_id);
    }
  },
);
