import type { Json } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { chart, helm, kubernetesVersions, objectsOf, podOf, render, valuesOf } from './render.ts';
import { customResources } from './schemas.ts';

/** The chart in a real API server of Kubernetes, of which nothing else runs: the tests end the Job of the migrations themselves. */
let server: ApiServer;
const namespace = '/api/v1/namespaces/gateway';
const deployments = '/apis/apps/v1/namespaces/gateway/deployments';
const jobs = '/apis/batch/v1/namespaces/gateway/jobs';

beforeAll(async () => {
  server = await startApiServer(kubernetesVersions[1]);
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'gateway', labels } });
  for (const definition of await customResources())
    expect(
      (await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status,
    ).toBe(201);
  const { status } = await server.send('GET', namespace);
  expect(status).toBe(200);
}, 3_600_000);
afterAll(() => server?.close());

const withServer = (args: string[]) => helm(args, { KUBECONFIG: server.kubeconfig });
const job = async (): Promise<Json | undefined> => (await server.send('GET', jobs)).body.items[0];

/** The Job of the migrations that is not the one of `earlier`, once helm has made it. */
const nextJob = (earlier?: Json): Promise<Json> =>
  until(job, (found) => found !== undefined && found.metadata.uid !== earlier?.metadata.uid, 60_000) as Promise<Json>;

/** What the controller of Jobs writes at the end of its pod. */
async function end({ metadata }: Json, outcome: 'Complete' | 'Failed'): Promise<void> {
  const at = new Date().toISOString().replace(/\.\d+/, '');
  const conditions = [outcome === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', outcome].map((type) => ({
    ...{ type, status: 'True', reason: 'Test', message: 'ended by the test' },
    ...{ lastProbeTime: at, lastTransitionTime: at },
  }));
  const counted = outcome === 'Complete' ? { succeeded: 1, completionTime: at } : { failed: 1 };
  const status = { startTime: at, conditions, ...counted };
  const path = `${jobs}/${metadata.name}/status`;
  const { status: code, body } = await server.send('PATCH', path, { status }, 'application/merge-patch+json');
  if (code !== 200) throw new Error(JSON.stringify(body));
}

const imagesOf = async () => {
  const { items } = (await server.send('GET', deployments)).body;
  return (items as Json[]).map(({ spec }) => spec.template.spec.containers[0].image.split(':')[1]);
};

test('an API server of Kubernetes accepts every object of the chart by strict validation, and every pod in a namespace of the restricted profile (operations 6.2) (spec 15.17)', async () => {
  const objects = objectsOf(await render(valuesOf('full')));
  const refused: Json[] = [];
  const create = async (object: Json) => {
    const base = object.apiVersion === 'v1' ? '/api/v1' : `/apis/${object.apiVersion}`;
    // A custom resource is served a moment after its definition is there.
    const find = async (): Promise<Json | undefined> =>
      ((await server.send('GET', base)).body.resources as Json[] | undefined)?.find(
        ({ kind, name }) => kind === object.kind && !name.includes('/'),
      );
    const { name } = (await until(find, Boolean, 30_000)) as Json;
    const path = `${base}/namespaces/gateway/${name}?dryRun=All&fieldValidation=Strict`;
    const { status, body } = await server.send('POST', path, {
      ...object,
      metadata: { ...object.metadata, namespace: 'gateway' },
    });
    if (status !== 201) refused.push([object.kind, object.metadata.name, body.message]);
  };
  const pods = objects.filter(podOf).map((one) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${one.metadata.name}-pod` },
    spec: { restartPolicy: undefined, ...podOf(one) },
  }));

  for (const object of [...objects, ...pods]) await create(object);

  expect(refused).toEqual([]);
  expect(new Set(objects.map(({ kind }) => kind)).size).toBe(10);
  const [pod] = pods;
  await create({ ...pod, spec: { ...pod!.spec, hostNetwork: true } });
  await create({ ...pod, spec: { ...pod!.spec, unknown: true } });
  expect(refused.map(([, , message]) => message)).toEqual([
    expect.stringContaining('violates PodSecurity'),
    expect.stringContaining('unknown field'),
  ]);
}, 600_000);

test('the migrations run anew before each installation and upgrade, a failure of them changes nothing, and a rollback runs none (operations 6.2) (spec 15.17)', async () => {
  const upgrade = (tag: string) =>
    withServer([
      'upgrade',
      '--install',
      'main',
      chart,
      ...valuesOf('minimal', `image.tag=${tag}`),
      '--timeout',
      '120s',
    ]);

  const installing = upgrade('one');
  const first = await nextJob();
  const before = await imagesOf();
  await end(first, 'Complete');
  await installing;
  const installed = await imagesOf();

  const failing = upgrade('two').then(
    () => 'upgraded',
    (error) => error.stderr as string,
  );
  const second = await nextJob(first);
  await end(second, 'Failed');
  const failure = await failing;
  const afterFailure = await imagesOf();

  const upgrading = upgrade('three');
  const third = await nextJob(second);
  await end(third, 'Complete');
  await upgrading;
  const upgraded = await imagesOf();
  await withServer(['rollback', 'main', '1']);

  expect(before).toEqual([]);
  expect(installed).toEqual(['one', 'one']);
  expect(failure).toMatch(/pre-upgrade hooks failed/);
  expect(afterFailure).toEqual(['one', 'one']);
  expect(upgraded).toEqual(['three', 'three']);
  expect(await imagesOf()).toEqual(['one', 'one']);
  expect((await job())!.metadata.uid).toBe(third.metadata.uid);
  expect(third.spec.template.spec.containers[0].image).toContain(':three');
  await withServer(['uninstall', 'main']);
  expect(await imagesOf()).toEqual([]);
}, 600_000);

test('an upgrade that switches autoscaling on, or comes after it, leaves as many pods as there are', async () => {
  const upgrade = (...set: string[]) =>
    withServer(['upgrade', '--install', 'scaled', chart, ...valuesOf('minimal', ...set), '--no-hooks']);
  const replicas = async () => (await server.send('GET', `${deployments}/scaled-job-gateway-api`)).body.spec.replicas;

  await upgrade('api.replicas=3');
  await upgrade('api.autoscaling.enabled=true');
  const switched = await replicas();
  const path = `${deployments}/scaled-job-gateway-api/scale`;
  await server.send('PATCH', path, { spec: { replicas: 7 } }, 'application/merge-patch+json');
  await upgrade('api.autoscaling.enabled=true', 'image.tag=next');

  expect([switched, await replicas()]).toEqual([3, 7]);
}, 120_000);
