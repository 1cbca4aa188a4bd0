import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import { parse } from 'yaml';
import { DrainSettings, drainTimes, loadConfig } from '../src/config.ts';
import { readCommand } from '../tools/dev/processes/process-identity.ts';
import { freePort } from '../tools/dev/services/free-port.ts';
import { findRedis } from '../tools/dev/services/redis/find-redis.ts';
import { until } from './support/until.ts';

interface Service {
  stop_grace_period?: string;
  image: string;
  env_file?: unknown;
  environment: Record<string, string | number>;
  networks: string[];
  ports?: string[];
  cap_drop: string[];
  cap_add?: string[];
  security_opt: string[];
  read_only?: boolean;
  privileged?: boolean;
  network_mode?: string;
  volumes?: string[];
  command?: string[];
  profiles?: string[];
}

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  configs: Record<string, { file?: string; content?: string }>;
};
const services = Object.entries(compose.services);

/** The variables of `.env` that a service receives. */
const variablesOf = ({ environment }: Service) =>
  new Set([...JSON.stringify(environment ?? {}).matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!));

const servicesWith = (variable: string) =>
  services.filter(([, service]) => variablesOf(service).has(variable)).map(([name]) => name);

const servicesIn = (network: string) =>
  services.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name);

test.each(services)(
  'the service %s drops all capabilities that its start does not need, and cannot gain privileges',
  (_, service) => {
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.privileged).toBeUndefined();
    expect(service.network_mode).toBeUndefined();
    const added = service.image.startsWith('postgres:') ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'] : [];
    expect(service.cap_add ?? []).toEqual(added);
    expect(service.volumes?.filter((volume) => /^[./~]/.test(volume)) ?? []).toEqual([]);
  },
);

test('all services except temporal-ui, which writes its settings, have a read-only file system', () => {
  expect(services.filter(([, service]) => !service.read_only).map(([name]) => name)).toEqual(['temporal-ui']);
});

test('no service has an env_file, and each secret is passed only to the services that use it', () => {
  expect(services.filter(([, service]) => service.env_file !== undefined)).toEqual([]);
  expect({
    MASTER_KEY: servicesWith('MASTER_KEY'),
    UPSTREAM_MASTER_KEY: servicesWith('UPSTREAM_MASTER_KEY'),
    TEMPORAL_API_KEY: servicesWith('TEMPORAL_API_KEY'),
    POSTGRES_PASSWORD: servicesWith('POSTGRES_PASSWORD'),
    POSTGRES_SERVICE_PASSWORD: servicesWith('POSTGRES_SERVICE_PASSWORD'),
    REDIS_PASSWORD: servicesWith('REDIS_PASSWORD'),
    TEMPORAL_POSTGRES_PASSWORD: servicesWith('TEMPORAL_POSTGRES_PASSWORD'),
  }).toEqual({
    MASTER_KEY: ['api', 'worker'],
    UPSTREAM_MASTER_KEY: ['api', 'worker'],
    TEMPORAL_API_KEY: ['api', 'worker'],
    POSTGRES_PASSWORD: ['migrations', 'postgres'],
    POSTGRES_SERVICE_PASSWORD: ['api', 'worker', 'migrations'],
    REDIS_PASSWORD: ['api', 'worker', 'redis'],
    TEMPORAL_POSTGRES_PASSWORD: ['temporal', 'temporal-schema', 'temporal-postgres'],
  });
});

test('no command or health check contains a secret, which lists of processes would show', () => {
  for (const [, { environment: _, ...rest }] of services)
    expect(JSON.stringify(rest)).not.toMatch(/\$\{[A-Z_]*(PASSWORD|KEY)/);
});

test('only api and temporal-ui publish ports, on the loopback address', () => {
  const published = services.filter(([, { ports }]) => ports);

  expect(published.map(([name]) => name)).toEqual(['api', 'temporal-ui']);
  for (const [, { ports }] of published) expect(ports!.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
});

test('only the UI of Temporal, which has no login, is not started unless it is asked for', () => {
  const optional = services.filter(([, { profiles }]) => profiles);

  expect(optional.map(([name, { profiles }]) => [name, profiles])).toEqual([['temporal-ui', ['ui']]]);
});

test('each network contains only the services that use it', () => {
  expect(services.filter(([, { networks }]) => !networks?.length).map(([name]) => name)).toEqual([]);
  expect(servicesIn('redis')).toEqual(['api', 'worker', 'redis']);
  expect(servicesIn('data')).toEqual(['api', 'worker', 'migrations', 'postgres']);
  expect(servicesIn('temporal')).toEqual([
    'api',
    'worker',
    'temporal',
    'temporal-schema',
    'temporal-namespace',
    'temporal-ui',
    'temporal-postgres',
  ]);
  expect(servicesIn('edge')).toEqual(['api', 'worker']);
  expect(servicesIn('ui')).toEqual(['temporal-ui']);
  const open = Object.entries(compose.networks).filter(([, network]) => !network?.internal);
  expect(open.map(([name]) => name)).toEqual(['edge', 'ui']);
});

/** Settings of the image. */
const ofTheImage = ['WORKFLOW_BUNDLE'];

/** The names of all settings, from the tables in docs/settings.md. */
const documented = [
  ...read('docs/settings.md')
    .split('## Of single programs')[0]!
    .matchAll(/^\| (`[A-Z_`, ]+`) \|/gm),
]
  .flatMap(([, names]) => names!.match(/[A-Z_]+/g)!)
  .filter((name) => !ofTheImage.includes(name));

test.each(['api', 'worker'])('the service %s has every documented setting in its environment', (name) => {
  const { environment } = compose.services[name]!;

  expect(documented.length).toBeGreaterThan(30);
  expect(documented.filter((setting) => !(setting in environment))).toEqual([]);
});

test('the settings of the compose file are complete when only its required variables are set', () => {
  const required = /\$\{([A-Z_]+):\?[^}]*\}/g;
  const environment = Object.entries(compose.services.api!.environment).map(([name, value]) => [
    name,
    name === 'UPSTREAM_BASE_URL'
      ? 'https://upstream.test'
      : String(value)
          .replaceAll(
            required,
            (_, variable) => `${variable.toLowerCase().replaceAll('_', '')}7c1f0e9b2d4a8356f1c07be2d94a6538`,
          )
          .replaceAll(/\$\{[A-Z_]+:-([^}]*)\}/g, '$1'),
  ]);

  const config = loadConfig(Object.fromEntries(environment));

  expect(new URL(config.REDIS_URL).password).toMatch(/^redispassword/);
  expect(config.DATABASE_POOL_SIZE).toBe(20);
});

test.each(['api', 'worker'])('the service %s is killed only after its drain could end', (name) => {
  const { stop_grace_period } = compose.services[name]!;
  const { lameDuckMs, drainMs } = drainTimes(DrainSettings.parse({}));

  expect(Number.parseInt(stop_grace_period!, 10) * 1_000).toBeGreaterThanOrEqual(lameDuckMs + drainMs + 15_000);
});

test('images have an exact version, and each config of a read-only container is a file that exists', () => {
  const images = [...services.map(([, { image }]) => image), ...read('Dockerfile').match(/(?<=^FROM )\S+:\S+/gm)!];
  const exact = /:(\$\{GATEWAY_VERSION:-latest\}|(\$\{[A-Z_]+:-)?\d+\.\d+(\.\d+)?\}?(-[a-z]+)?)$/;

  expect(images.filter((image) => !exact.test(image))).toEqual([]);
  for (const { file, content } of Object.values(compose.configs)) {
    expect(content).toBeUndefined();
    expect(existsSync(new URL(`../${file}`, import.meta.url))).toBe(true);
  }
});

test('the command of the service redis starts a Redis that requires the password, without the password in its arguments', async () => {
  const { run } = await findRedis(
    `${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/job-gateway`,
    () => undefined,
  );
  const { command: program, env } = run(0, []);
  const port = await freePort();
  const [shell, options, script] = compose.services.redis!.command!;
  const own = script!.replaceAll('$$', '$').replace('redis-server -', `${program} - --port ${port} --bind 127.0.0.1`);
  const child = spawn(shell!, [options!, own], { cwd: tmpdir(), env: { ...env, REDISCLI_AUTH: 'abc123' } });
  const [withPassword, without] = [new Redis(port, { password: 'abc123' }), new Redis(port)];
  for (const client of [withPassword, without]) client.on('error', () => undefined);
  try {
    await until(
      () => withPassword.ping().catch(() => ''),
      (answer) => answer === 'PONG',
    );

    await expect(without.publish('a', 'b')).rejects.toThrow('NOAUTH');
    const listed = readCommand(child.pid!);
    expect(listed).toContain('redis-server');
    expect(listed).not.toContain('abc123');
  } finally {
    for (const client of [withPassword, without]) client.disconnect();
    child.kill('SIGTERM');
  }
});

test('the image has a user by number, which Kubernetes asks for, and the version of the package (spec 15.14)', () => {
  const dockerfile = read('Dockerfile');

  expect([...dockerfile.matchAll(/^USER (.*)$/gm)].map(([, user]) => user)).toEqual(['1000:1000']);
  expect(dockerfile).toContain(`\nARG VERSION=${JSON.parse(read('package.json')).version}\n`);
});
