import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { type Simulator, startSimulator } from '../../tools/simulator/simulator.ts';
import { createDatabase } from '../support/database.ts';
import { programArguments } from '../support/program-arguments.ts';
import { migrateLitellm } from './database/migrate.ts';
import type { InstalledLitellm } from './install-litellm.ts';

export interface Litellm {
  url: string;
  masterKey: string;
  /** Its provider. */
  provider: Simulator;
  /** Its database. */
  databaseUrl: string;
  close(): Promise<void>;
}

const { program, queryEngine, migrations }: InstalledLitellm = JSON.parse(process.env.TEST_LITELLM ?? '{}');

/** A program that LiteLLM starts: the line in a shell. */
function writeProgram(file: string, line: string): string {
  writeFileSync(file, `#!/bin/sh\n${line}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** What LiteLLM needs to keep teams, keys, budgets and spending in the database. */
function databaseSettings(folder: string, databaseUrl: string): NodeJS.ProcessEnv {
  const engine = [process.execPath, ...programArguments('test/litellm/database/query-engine.ts')];
  const start = `unset PRISMA_CLIENT_ENGINE_TYPE PRISMA_CLI_QUERY_ENGINE_TYPE\nexec '${engine.join("' '")}' "$@"`;
  return {
    DATABASE_URL: databaseUrl,
    DISABLE_SCHEMA_UPDATE: 'true',
    LITELLM_SALT_KEY: 'sk-salt-of-tests',
    LITELLM_QUERY_ENGINE: queryEngine,
    PRISMA_QUERY_ENGINE_BINARY: writeProgram(join(folder, 'query-engine'), start),
    PRISMA_SCHEMA_ENGINE_BINARY: writeProgram(join(folder, 'schema-engine'), 'exit 0'),
  };
}

/** LiteLLM has prices only for configured models. These are the simulator's prices of an unknown model. */
const prices = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 };

/**
 * The real proxy, with its database, and the simulator as the provider of these models. Like OpenAI, the provider reports no costs,
 * so that the reported ones are those of LiteLLM.
 */
async function startLitellm(models: string[]): Promise<Litellm> {
  const provider = await startSimulator({ cost: 'none' });
  const masterKey = `sk-litellm-${randomBytes(12).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-litellm-'));
  const config = join(folder, 'config.json');
  // JSON is YAML.
  const settings = {
    model_list: models.map((name) => ({
      model_name: name,
      litellm_params: { model: `openai/${name}`, api_base: provider.url, api_key: 'none', ...prices },
    })),
    litellm_settings: { num_retries: 0, telemetry: false, request_timeout: 10 },
    router_settings: { num_retries: 0, disable_cooldowns: true },
    // Spending is written to the database after these seconds.
    general_settings: { master_key: masterKey, proxy_batch_write_at: 1 },
  };
  writeFileSync(config, JSON.stringify(settings));

  const database = await createDatabase();
  await migrateLitellm(database.url, migrations);
  const group = openProcessGroup(folder);
  const makeLaunch = async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    return {
      url,
      name: 'upstream',
      command: program,
      args: ['--config', config, '--host', '127.0.0.1', '--port', String(port)],
      cwd: folder,
      env: {
        ...process.env,
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        LITELLM_MODE: 'PRODUCTION',
        REDIS_URL: undefined,
        ...databaseSettings(folder, database.url),
      },
      ready: async () => (await fetch(`${url}/health/liveliness`, { signal: AbortSignal.timeout(2_000) })).ok,
    };
  };
  const close = async () => {
    await group.end();
    await provider.close();
    await database.drop();
  };
  try {
    const { url } = await group.start(makeLaunch);
    return { url, masterKey, provider, databaseUrl: database.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Started before the file's tests and ended after them. */
export function litellmForTests(models: string[]): { readonly current: Litellm } {
  let litellm: Litellm | undefined;
  beforeAll(async () => {
    litellm = await startLitellm(models);
  }, 300_000);
  afterAll(() => litellm?.close());
  return {
    get current() {
      if (!litellm) throw new Error('LiteLLM has not started yet');
      return litellm;
    },
  };
}
