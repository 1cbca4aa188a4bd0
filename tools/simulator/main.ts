import { z } from 'zod';
import { startSimulator } from './simulator.ts';

const milliseconds = z.coerce.number().int().min(0).default(0);
const settings = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(0),
    HOST: z.string().default('127.0.0.1'),
    SIMULATOR_MASTER_KEY: z.string().optional(),
    SIMULATOR_LATENCY_MS: milliseconds,
    SIMULATOR_EVERY_MS: milliseconds,
  })
  .parse(process.env);

const simulator = await startSimulator({
  port: settings.PORT,
  host: settings.HOST,
  masterKey: settings.SIMULATOR_MASTER_KEY || undefined,
  latencyMs: settings.SIMULATOR_LATENCY_MS,
  everyMs: settings.SIMULATOR_EVERY_MS,
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await simulator.close();
    process.exit(0);
  });
}

process.send?.('ready');
process.stdout.write(`${JSON.stringify({ listening: simulator.url })}\n`);
