import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/dev/services/free-port.ts';
import type { Json } from '../support/send-request.ts';
import { until } from '../support/until.ts';

export const project = new URL('../../', import.meta.url).pathname;
const rulesFile = join(project, 'deploy/monitoring/rules.yml');

export const missing = new Error('this test needs Prometheus and promtool: apt-get install prometheus');

/** Thresholds that no test can reach in seconds, and what stands for them. Everything else is that of the file, in less time. */
const lower: Record<string, [string, string]> = {
  GatewayWorkerFull: ['> 0.85', '> 0.005'],
  GatewaySettlementsFail: ['> 10', '> 1'],
  GatewayDeliveriesWait: ['> 1000', '> 2'],
};

/** The rules as they are, but alerts fire after a second instead of minutes, by the last ten seconds instead of minutes. */
function quickRules(): string {
  const quick = readFileSync(rulesFile, 'utf8')
    .replaceAll(/^( +for:) .*/gm, '$1 1s')
    .replaceAll(/\[\d+m\]/g, '[10s]');
  return quick.replaceAll(/alert: (\w+)\n +expr: .*/g, (text, name: string) => {
    const [from, to] = lower[name] ?? ['', ''];
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    return text.replace(from, to);
  });
}

export interface Prometheus {
  /** The values of an expression now. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: number }[]>;
  /** The names of the alerts that fire. */
  firing(): Promise<string[]>;
  close(): Promise<void>;
}

/** A Prometheus with the rules of `deploy/monitoring`, which scrapes the addresses once a second. */
export async function startPrometheus(jobs: Record<string, string[]>): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-prometheus-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'rules.yml'), quickRules());
  // JSON is YAML.
  const configuration = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    scrape_configs: Object.entries(jobs).map(([job_name, targets]) => ({ job_name, static_configs: [{ targets }] })),
    rule_files: ['rules.yml'],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const failed = new Promise<never>((_, reject) => child.once('error', () => reject(missing)));
  const read = async (path: string): Promise<Json> => {
    const answer = (await (await fetch(`${url}/api/v1/${path}`)).json()) as Json;
    if (answer.status !== 'success') throw new Error(JSON.stringify(answer));
    return answer.data;
  };
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await Promise.race([until(isReady), failed]);
  return {
    async query(expression) {
      const { result } = await read(`query?query=${encodeURIComponent(expression)}`);
      return result.map(({ metric, value }: Json) => ({ metric, value: Number(value[1]) }));
    },
    async firing() {
      const { alerts } = await read('alerts');
      return alerts.filter(({ state }: Json) => state === 'firing').map(({ labels }: Json) => labels.alertname);
    },
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
