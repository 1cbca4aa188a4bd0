import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../support/until.ts';
import { project } from './prometheus.ts';

const version = 'v0.165.0';
const folder = join(project, '.cache', `collector-${version}`);
const program = join(folder, 'otelcol');

const parts = `dist: { name: otelcol, output_path: ${folder} }
receivers: [{ gomod: go.opentelemetry.io/collector/receiver/otlpreceiver ${version} }]
exporters: [{ gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter ${version} }]
`;

/** Builds the collector of OpenTelemetry from its Go modules, by its own builder. Only the first time: it takes minutes. */
export async function buildCollector(): Promise<void> {
  if (existsSync(program)) return;
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'builder.yaml');
  writeFileSync(config, parts);
  const builder = `go.opentelemetry.io/collector/cmd/builder@${version}`;
  await promisify(execFile)('go', ['run', builder, '--config', config], { cwd: folder }).catch((error) => {
    throw error.code === 'ENOENT' ? new Error('this test needs Go: apt-get install golang') : error;
  });
}

/** A collector that passes on what it has received, as OTLP again. */
export async function startCollector(port: number, receiverUrl: string) {
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { otlp_http: { endpoint: receiverUrl, compression: 'none' } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
    },
  };
  const file = join(folder, `config-${port}.yaml`);
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(program, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  await until(
    () => log,
    (text) => text.includes('Everything is ready'),
    30_000,
  );
  return {
    async end() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
