import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../support/until.ts';
import { faults, makeTraffic } from './faults.ts';
import { type Installation, startInstallation } from './installation.ts';
import { missing, type Prometheus, project, startPrometheus } from './prometheus.ts';

const folder = join(project, 'deploy/monitoring');
const run = promisify(execFile);
const promtool = (...args: string[]) =>
  run('promtool', args, { cwd: folder }).catch((error) => {
    throw error.code === 'ENOENT' ? missing : new Error(`${error.stdout}${error.stderr}`);
  });

let installation: Installation;
let prometheus: Prometheus;
beforeAll(async () => {
  installation = await startInstallation();
  prometheus = await startPrometheus(installation.targets);
}, 120_000);
afterAll(async () => {
  await prometheus?.close();
  await installation?.close();
}, 60_000);

test.each([
  ['the configuration', ['check', 'config', 'prometheus.yml']],
  [
    'the rules, which fire at their fault after their time and not at what is still well',
    ['test', 'rules', 'rules.test.yml'],
  ],
])('promtool accepts %s (operations 5.3)', async (_, args) => {
  await promtool(...args);
});

test('the sum of a counter over two apis and two workers is what has happened once (operations 5.1)', async () => {
  const made = await makeTraffic(installation);
  const figures: [string, number][] = [
    ['sum(gateway_calls_total)', made],
    ['count(up == 1)', 5],
    ['sum(gateway_refusals_total{status="429",limit="calls"})', 2],
    ['sum(gateway_first_token_seconds_count)', 3],
    ['sum(gateway_attempts_total{status="5xx",failure="error"})', 3],
    ['count(gateway_build_info)', 4],
    ['max(gateway_installation_ledger_mismatches)', 0],
  ];

  for (const [expression, expected] of figures) {
    const read = async () => (await prometheus.query(expression))[0]?.value;
    // Each process is scraped at another moment.
    await until(read, (value) => value === expected, 15_000).catch(() => undefined);
    expect([expression, await read()]).toEqual([expression, expected]);
  }
});

/** Temporal's SDK exports them once it has counted one. */
const afterFirst = /_fail(ed|ure)_total|_miss_total|speculative_starts/;

test.each(['gateway', 'worker'])(
  'each expression of the dashboard %s has a value in Prometheus (operations 5.3)',
  async (name) => {
    const { panels } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    await makeTraffic(installation);

    const empty: string[] = [];
    for (const expression of expressions.map((one) => one.replaceAll('$__rate_interval', '30s'))) {
      const found = await until(
        () => prometheus.query(expression),
        ({ length }) => length > 0,
        4_000,
      ).catch(() => []);
      if (found.length === 0 && !afterFirst.test(expression)) empty.push(expression);
    }

    expect(expressions.length).toBeGreaterThan(15);
    expect(empty).toEqual([]);
  },
  180_000,
);

test('each alert has a fault that it has to find', () => {
  const rules = readFileSync(join(folder, 'rules.yml'), 'utf8');

  expect([...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name).toSorted()).toEqual(
    Object.keys(faults).toSorted(),
  );
});

test.each(Object.keys(faults))(
  '%s fires at its fault, not before, and ends after it (operations 5.3)',
  async (alert) => {
    const fires = async () => (await prometheus.firing()).includes(alert);
    await until(async () => !(await fires()), Boolean, 30_000);

    const mend = await faults[alert]!(installation);
    await until(fires, Boolean, 45_000).finally(mend);

    await until(async () => !(await fires()), Boolean, 60_000);
  },
  180_000,
);
