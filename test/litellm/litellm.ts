import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { type Simulator, startSimulator } from '../../tools/simulator/simulator.ts';

export interface Litellm {
  url: string;
  masterKey: string;
  /** Its provider. */
  provider: Simulator;
  close(): Promise<void>;
}

/** LiteLLM has prices only for configured models. These are the simulator's prices of an unknown model. */
const prices = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 };

/**
 * The real proxy, without a database, with the simulator as the provider of these models. Like OpenAI, the provider reports no
 * costs, so that the reported ones are those of LiteLLM.
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
    general_settings: { master_key: masterKey },
  };
  writeFileSync(config, JSON.stringify(settings));

  const group = openProcessGroup(folder);
  const makeLaunch = async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    return {
      url,
      name: 'upstream',
      command: process.env.TEST_LITELLM_PROGRAM ?? '',
      args: ['--config', config, '--host', '127.0.0.1', '--port', String(port)],
      cwd: folder,
      env: {
        ...process.env,
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        LITELLM_MODE: 'PRODUCTION',
        DATABASE_URL: undefined,
        REDIS_URL: undefined,
      },
      ready: async () => (await fetch(`${url}/health/liveliness`, { signal: AbortSignal.timeout(2_000) })).ok,
    };
  };
  const close = async () => {
    await group.end();
    await provider.close();
  };
  try {
    const { url } = await group.start(makeLaunch);
    return { url, masterKey, provider, close };
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
  }, 120_000);
  afterAll(() => litellm?.close());
  return {
    get current() {
      if (!litellm) throw new Error('LiteLLM has not started yet');
      return litellm;
    },
  };
}
