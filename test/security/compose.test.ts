import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');

/** The text of each part of a section, by its name: two blanks and a name begin one. */
function partsOf(section: string): Map<string, string> {
  const body = new RegExp(`^${section}:\\n((?:(?: .*|#.*)?\\n)*)`, 'm').exec(text)?.[1] ?? '';
  const parts = body.split(/^ {2}(?=[\w-]+:)/m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(':')), part]));
}

/** What a service takes over by `<<: *name` counts as its own. */
function withAnchors(part: string): string {
  const names = [...part.matchAll(/\*([\w-]+)/g)].map(([, name]) => name!);
  const anchors = names.map((name) => new RegExp(`&${name}\\b.*\\n((?: .*\\n|\\n)*)`).exec(text)?.[1] ?? '');
  return [part, ...anchors].join('\n');
}

const services = partsOf('services');
const whole = (name: string) => withAnchors(services.get(name) ?? '');
const names = [...services.keys()];

test('the compose file has the services that the checks below are about', () => {
  expect(names).toEqual(
    expect.arrayContaining(['api', 'worker', 'migrations', 'postgres', 'redis', 'temporal', 'temporal-postgres']),
  );
});

test.each(names)('the service %s may do no more than it needs', (name) => {
  expect(whole(name)).toMatch(/cap_drop: *\[ *ALL *\]|cap_drop:\n +- ALL/);
  expect(whole(name)).toContain('no-new-privileges');
});

test.each(['api', 'worker', 'migrations'])(
  'the service %s is given no whole file of variables, and no password of Temporal',
  (name) => {
    expect(whole(name)).not.toMatch(/^ *env_file:/m);
    expect(whole(name)).not.toContain('TEMPORAL_POSTGRES_PASSWORD');
  },
);

test('networks separate what need not meet: Redis and the databases are reached by their own users alone', () => {
  const networks = partsOf('networks');
  const of = (name: string) =>
    [...networks.keys()].filter((network) =>
      new RegExp(`networks:[^\\n]*(\\n +(- )?[\\w-]+:?.*)*\\b${network}\\b`).test(whole(name)),
    );
  const sharing = (name: string) =>
    names.filter((other) => other !== name && of(other).some((network) => of(name).includes(network)));

  expect(networks.size).toBeGreaterThanOrEqual(3);
  expect(names.filter((name) => of(name).length === 0)).toEqual([]);
  for (const name of ['temporal', 'temporal-postgres', 'temporal-ui']) expect(sharing('redis')).not.toContain(name);
  for (const name of ['api', 'worker', 'redis', 'postgres']) expect(sharing('temporal-postgres')).not.toContain(name);
});

test('Redis wants a password, and the gateway has it', () => {
  expect(whole('redis')).toMatch(/requirepass|REDIS_PASSWORD/);
  expect(whole('api')).toMatch(/REDIS_URL: redis:\/\/[^\s@]*:[^\s@]+@redis/);
});

test('nothing but the api and the UI is published, and these on the loopback address', () => {
  const published = names.filter((name) => /^ +ports:/m.test(services.get(name)!));

  expect(published.filter((name) => !['api', 'temporal-ui'].includes(name))).toEqual([]);
  for (const name of published) expect(services.get(name)).toMatch(/ports: *\["127\.0\.0\.1:/);
});

test('the first owner is made by who holds the platform key', () => {
  expect(whole('api')).toMatch(/SETUP: *"?(master-key|\$\{SETUP:-master-key\})/);
});
