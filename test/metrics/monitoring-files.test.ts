import { readFileSync } from 'node:fs';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { sendRequest } from '../support/send-request.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const rules = read('deploy/monitoring/rules.yml');
const runbooks = read('docs/runbooks.md');
const alerts = rules.split('      - alert: ').slice(1);
const nameOf = (alert: string): string => alert.slice(0, alert.indexOf('\n'));

/** The SDK exports them once it has counted one; `npm run test:monitoring` makes it count. */
const afterFirst = [
  'temporal_request_failure_total',
  'temporal_long_request_failure_total',
  'temporal_workflow_task_execution_failed_total',
  'temporal_activity_execution_failed_total',
  'temporal_sticky_cache_miss_total',
];

const expressionsOf = (file: string): string[] => {
  const { panels } = JSON.parse(read(file)) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
};

test('each alert has a severity, a first action and the anchor of its runbook, and each runbook is that of an alert (operations 5.3) (spec 14.10)', () => {
  const problems = alerts.filter((alert) => {
    const anchor = nameOf(alert).toLowerCase();
    const isComplete =
      /severity: (critical|warning)\}/.test(alert) &&
      /action: ".+"/.test(alert) &&
      alert.includes(`runbook_url: https://gateway.example.com/docs/runbooks.md#${anchor}\n`);
    return !isComplete || !runbooks.includes(`### <a id="${anchor}"></a>${nameOf(alert)}\n`);
  });
  const sections = [...runbooks.matchAll(/^### <a id="(\w+)"><\/a>(\w+)\n\n((?:.+\n)+)/gm)];

  expect(alerts.length).toBeGreaterThan(20);
  expect(problems.map(nameOf)).toEqual([]);
  expect(sections.map(([, , name]) => name)).toEqual(alerts.map(nameOf));
  for (const [, , name, text] of sections)
    expect([name, [...text!.matchAll(/^- (\w+)[:,]/gm)].map(([, word]) => word).join()]).toEqual([
      name,
      expect.stringMatching(/^Means,See(,Do)?,Over$/),
    ]);
});

test('each link of a runbook to a section of its page leads to one', () => {
  const links = [...runbooks.matchAll(/\]\(#(\w+)\)/g)].map(([, anchor]) => anchor);

  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((anchor) => !runbooks.includes(`<a id="${anchor}"></a>`))).toEqual([]);
});

test('each metric that a rule, a runbook or a dashboard names is exported by an api or a worker (operations 5.3) (spec 14.10)', async () => {
  const worker = await startWorkerProcess(gateway.current, { METRICS_PORT: '0', LOG_LEVEL: 'info' });
  try {
    const { metrics_url } = worker.lines.find(({ msg }) => msg === 'worker: started');
    expectOk(await as(gateway, await given.team()).single());
    const ofWorker = await sendRequest(new URL(metrics_url).origin, 'get', '/metrics');
    const { url, masterKey: key } = gateway.current;
    const ofApi = await sendRequest(url, 'get', '/metrics', { key });
    const exported = new Set(
      [...`${ofApi.text}\n${ofWorker.text}`.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!),
    );
    const texts = [
      rules,
      runbooks,
      ...expressionsOf('deploy/monitoring/gateway.json'),
      ...expressionsOf('deploy/monitoring/worker.json'),
    ];

    const named = texts.flatMap((text) => text.match(/\b(?:gateway|temporal|nodejs|process)_[a-z0-9_]{6,}\b/g) ?? []);

    const unknown = named.filter((name) => !exported.has(name.replace(/_bucket$/, '')) && !afterFirst.includes(name));
    expect(new Set(named).size).toBeGreaterThan(30);
    expect([...new Set(unknown)]).toEqual([]);
  } finally {
    await worker.kill();
  }
});
