import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadConfig } from '../../src/config.ts';
import type { Json } from '../support/send-request.ts';
import { goProgram } from './go-programs.ts';
import { chart, helm, kubernetesVersions, objectsOf, podOf, render, valuesOf } from './render.ts';
import { writeSchemas } from './schemas.ts';

const files = ['minimal', 'full', 'bare'];
const folder = mkdtempSync(join(tmpdir(), 'job-gateway-schemas-'));
beforeAll(async () => {
  for (const version of kubernetesVersions) await writeSchemas(join(folder, version), version);
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** What kubeconform reports of objects. */
async function validate(objects: string, version: string): Promise<Json> {
  const program = await goProgram('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0');
  const location = join(folder, version, '{{.ResourceKind}}{{.KindSuffix}}.json');
  const args = [
    '-strict',
    '-summary',
    '-output',
    'json',
    '-kubernetes-version',
    version.slice(1),
    '-schema-location',
    location,
  ];
  const child = spawn(program, [...args, '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(objects);
  return JSON.parse(await text(child.stdout));
}

test.each(files)(
  'helm lint finds nothing in the chart with the values %s',
  async (name) => {
    await expect(helm(['lint', '--strict', chart, ...valuesOf(name)])).resolves.toContain('0 chart(s) failed');
  },
  900_000,
);

test.each(files.flatMap((name) => kubernetesVersions.map((version) => [name, version])))(
  'each object of the chart with the values %s is valid in Kubernetes %s (operations 6.2)',
  async (name, version) => {
    const { resources = [], summary } = await validate(await render(valuesOf(name!), version), version!);

    expect(resources).toEqual([]);
    expect(summary).toMatchObject({ invalid: 0, errors: 0, skipped: 0 });
    expect(summary.valid).toBeGreaterThan(3);
  },
  900_000,
);

test('the validation finds a property that Kubernetes does not know', async () => {
  const wrong = (await render(valuesOf('full')))
    .replace('minReplicaCount:', 'minimumReplicaCount:')
    .replace('maxSurge:', 'surge:');

  expect((await validate(wrong, kubernetesVersions[1])).summary).toMatchObject({ invalid: 2, errors: 0 });
});

test.each([
  ['no address of Temporal', 'minimal', 'settings.TEMPORAL_ADDRESS=null', 'TEMPORAL_ADDRESS'],
  ['a setting that does not exist', 'minimal', 'settings.DRAIN_SECOND=1', 'DRAIN_SECOND'],
  ['a secret among the settings', 'minimal', 'settings.MASTER_KEY=abc', 'MASTER_KEY'],
  ['a number that is none', 'minimal', 'settings.DRAIN_SECONDS=long', 'DRAIN_SECONDS'],
  ['no replica', 'minimal', 'api.replicas=0', 'replicas'],
  ['no Secret', 'minimal', 'secrets.existingSecret=', 'secrets.existingSecret: the name of a Secret that has'],
  [
    'a worker that is scaled without Prometheus',
    'minimal',
    'worker.autoscaling.enabled=true',
    'serverAddress: the address of Prometheus',
  ],
])('the chart refuses %s', async (_, name, set, problem) => {
  await expect(render(valuesOf(name, set))).rejects.toThrow(problem);
});

const all = async (name: string, ...set: string[]) => objectsOf(await render(valuesOf(name, ...set)));
const named = (objects: Json[], kind: string, part: string): Json =>
  objects.find((one) => one.kind === kind && one.metadata.name.endsWith(part))!;

test.each(files)(
  'every pod of the values %s has what the restricted profile asks for, and no secret in a variable',
  async (name) => {
    const pods = (await all(name)).map(podOf).filter((pod) => pod !== undefined);

    expect(pods.length).toBeGreaterThanOrEqual(3);
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const variables = pod.containers[0].env.map((one: Json) => one.name) as string[];
      expect(new Set(variables).size).toBe(variables.length);
      expect(
        variables.filter(
          (one) =>
            /^(MASTER_KEY.*|DATABASE.*URL|REDIS_URL|.*_API_KEY|UPSTREAM_MASTER_KEY)$/.test(one) &&
            !one.endsWith('_FILE'),
        ),
      ).toEqual([]);
    }
  },
);

test('a pod is killed 15 seconds after its drain, probed at a host that is always served, and has the settings that the program accepts', async () => {
  const { spec } = named(await all('full'), 'Deployment', '-api').spec.template;
  const [container] = spec.containers;
  const variables = Object.fromEntries(container.env.map(({ name, value }: Json) => [name, value]));
  const mounted = spec.volumes
    .find(({ name }: Json) => name === 'secrets')
    .projected.sources.flatMap(({ secret }: Json) => secret.items.map(({ path }: Json) => path));
  const inFiles = Object.keys(variables)
    .filter((name) => name.endsWith('_FILE'))
    .map((name) => name.slice(0, -5));

  expect(spec.terminationGracePeriodSeconds).toBe(600 + 0 + 15);
  expect(
    [container.startupProbe, container.livenessProbe, container.readinessProbe].map(({ httpGet }) => [
      httpGet.path,
      httpGet.httpHeaders,
    ]),
  ).toEqual(
    ['/health/live', '/health/live', '/health/ready'].map((path) => [path, [{ name: 'Host', value: 'localhost' }]]),
  );
  expect(mounted.sort()).toEqual(inFiles.sort());
  const given = Object.fromEntries(Object.entries(variables).filter(([name]) => !/_FILE$|^TEMPORAL_TLS/.test(name)));
  const key = randomBytes(16).toString('hex');
  const config = loadConfig({
    ...given,
    MASTER_KEY: randomBytes(32).toString('hex'),
    DATABASE_URL: `postgres://a:${key}@b/c`,
    REDIS_URL: 'redis://a',
    TEMPORAL_API_KEY: key,
  } as NodeJS.ProcessEnv);
  expect(config).toMatchObject({
    STORED_BYTES_PER_DAY: 1_073_741_824,
    UPSTREAM_TEAM_KEYS: 'off',
    HOST: '0.0.0.0',
    METRICS_PORT: 9464,
  });
});

test('the migrations are a hook before installation and upgrade, with the database role of the owner, which no other pod has', async () => {
  const objects = await all('full');
  const job = named(objects, 'Job', '-migrations');
  const secretsOf = (one: Json) => JSON.stringify(podOf(one)!.volumes.find(({ name }: Json) => name === 'secrets'));

  expect(job.metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade');
  expect(secretsOf(job)).toContain('{"name":"database-owner","items":[{"key":"uri","path":"DATABASE_URL"}]}');
  expect(secretsOf(job)).toContain('{"name":"database-service","items":[{"key":"uri","path":"DATABASE_SERVICE_URL"}]}');
  const others = objects.filter((one) => podOf(one) && one.kind !== 'Job');
  expect(others.filter((one) => secretsOf(one).includes('owner'))).toEqual([]);
});

test('an upgrade can replace workers and apis one after the other, and a digest comes before the tag of the image', async () => {
  const images = async (name: string) =>
    Object.fromEntries(
      (await all(name))
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ metadata, spec }) => [metadata.name.split('-').at(-1), spec.template.spec.containers[0].image]),
    );

  expect(await images('bare')).toEqual({
    api: 'registry.example.com/job-gateway:0.2.0',
    worker: 'registry.example.com/job-gateway:0.2.1',
  });
  expect((await images('full')).api).toMatch(/^registry\.example\.com\/job-gateway@sha256:9f86/);
});
