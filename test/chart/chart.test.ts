import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { DrainSettings } from '../../src/config.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { sendRequest } from '../support/send-request.ts';

/** What needs no helm. `npm run test:chart` renders the chart, and installs it in an API server of Kubernetes. */
const gateway = gatewayForTests();
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const chart = (path: string) => read(`deploy/helm/job-gateway/${path}`);

interface Schema {
  type?: string | string[];
  additionalProperties?: unknown;
  properties?: Record<string, Schema>;
}

const schema = JSON.parse(chart('values.schema.json')) as Schema;
const values = parse(chart('values.yaml')) as Record<string, unknown>;
const propertiesAt = (...path: string[]): string[] =>
  Object.keys(path.reduce((at, name) => at.properties![name]!, schema).properties!);

/** Set by the chart itself, or from `temporalTls`. */
const ofTheChart = [
  'PORT',
  'METRICS_PORT',
  'WORKFLOW_BUNDLE',
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
];

test('every documented setting is one of the settings or secrets of the chart, and a secret can be no setting (operations 6.2)', () => {
  const [ofProcesses] = read('docs/settings.md').split('## Of single programs');
  const documented = [...ofProcesses!.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)]
    .flatMap(([, names]) => names!.match(/[A-Z_]+/g)!)
    .filter((name) => !name.endsWith('_FILE') && !ofTheChart.includes(name));
  const secrets = /^(`MASTER_KEY`[^.]+?) may\s+each\s+be\s+in\s+a\s+file/m
    .exec(ofProcesses!)![1]!
    .match(/[A-Z_]{4,}/g)!;

  const keys = propertiesAt('secrets', 'keys');

  // The role that DATABASE_SERVICE_URL of the migrations names is that of DATABASE_URL, and DATABASE_URL of the migrations is the owner's.
  expect(keys.filter((name) => name !== 'DATABASE_OWNER_URL').sort()).toEqual(
    secrets.filter((name) => name !== 'DATABASE_SERVICE_URL').sort(),
  );
  expect(propertiesAt('settings').sort()).toEqual(documented.filter((name) => !secrets.includes(name)).sort());
});

/** The places of a schema whose objects may have other properties than the named ones. */
const open = (at: Schema, path: string): string[] => [
  ...(at.properties && at.additionalProperties !== false ? [path] : []),
  ...Object.entries(at.properties ?? {}).flatMap(([name, inner]) => open(inner, `${path}.${name}`)),
];

/** The values without a place in the schema. */
const unknown = (at: Schema | undefined, value: unknown, path: string): string[] => {
  if (at === undefined) return [path];
  if (!at.properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => unknown(at.properties![name], inner, `${path}.${name}`));
};

test('the schema of the values refuses unknown names everywhere, and has a place for every value of the chart', () => {
  expect(open(schema, 'values')).toEqual([]);
  expect(unknown(schema, values, 'values')).toEqual([]);
  expect(unknown(schema, { api: { replica: 2 } }, 'values')).toEqual(['values.api.replica']);
});

test('the chart has the version of the package, the alerts of deploy/monitoring and the drain of the settings', () => {
  const { version, appVersion } = parse(chart('Chart.yaml'));
  const { DRAIN_SECONDS, LAME_DUCK_SECONDS } = DrainSettings.parse({});

  expect([version, appVersion]).toEqual(Array(2).fill(JSON.parse(read('package.json')).version));
  expect(chart('files/rules.yml')).toBe(read('deploy/monitoring/rules.yml'));
  expect(values.settings).toMatchObject({ DRAIN_SECONDS, LAME_DUCK_SECONDS });
});

test('the sample job of helm test charges one credit, again at its repetition, and fails without a model or with a model that fails (spec 15.17)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-chart-'));
  const { url, masterKey } = gateway.current;
  writeFileSync(join(folder, 'key'), `${masterKey}\n`);
  const run = (model: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', chart('files/sample-job.mjs')], {
      env: { GATEWAY_URL: url, MASTER_KEY_FILE: join(folder, 'key'), MODEL: model },
    });
  try {
    const { stdout } = await run('gpt-4o-mini');
    await run('gpt-4o');
    await expect(run('')).rejects.toThrow('set test.model');
    await expect(run('sim-fail-400')).rejects.toThrow('unexpected answer');

    const team = await sendRequest(url, 'get', '/api/teams/helm-test', { key: masterKey });

    expect(stdout).toContain('one job, one credit');
    expect(stdout).not.toContain('sk-');
    expect(team.body.credits.credits_used).toBe(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
