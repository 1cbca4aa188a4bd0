// Prints the packages of OpenTelemetry that are loaded once the dependencies of an api or a worker are there: `print-loaded.ts`, with the settings of one.
import Module from 'node:module';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openTracing } from '../../src/tracing/open-tracing.ts';
import '../../src/deps.ts';

const config = loadConfig(process.env);
const tracing = await openTracing(config, 'api', createLog('silent', 'api'));
const loaded = Object.keys((Module as unknown as { _cache: Record<string, unknown> })._cache)
  .map((file) => /node_modules\/(@opentelemetry\/[\w-]+)/.exec(file)?.[1])
  .filter((name) => name !== undefined);
console.log(JSON.stringify({ isOn: tracing !== undefined, loaded: [...new Set(loaded)].sort() }));
await tracing?.close();
