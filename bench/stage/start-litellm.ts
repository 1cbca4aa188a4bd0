import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installLitellm } from '../../test/litellm/install-litellm.ts';
import { printLine } from '../../tools/dev/print.ts';
import type { ProcessGroup } from '../../tools/dev/processes/process-group.ts';
import { freePort } from '../../tools/dev/services/free-port.ts';

/** LiteLLM as one process, without a database and with its lowest log level. */
export async function startLitellm(
  group: ProcessGroup,
  cache: string,
  upstreamUrl: string,
): Promise<{ url: string; key: string }> {
  const { program } = await installLitellm(cache, printLine);
  const key = 'sk-bench-of-no-well-known-name';
  const config = join(group.folder, 'config.json');
  const model = { model: 'openai/bench', api_base: upstreamUrl, api_key: 'none' };
  const settings = {
    model_list: [{ model_name: 'bench', litellm_params: model }],
    litellm_settings: { num_retries: 0, telemetry: false },
    general_settings: { master_key: key },
  };
  // JSON is YAML.
  writeFileSync(config, JSON.stringify(settings));
  const { url } = await group.start(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    return {
      url,
      name: 'upstream',
      command: program,
      args: ['--config', config, '--host', '127.0.0.1', '--port', String(port)],
      cwd: group.folder,
      env: {
        ...process.env,
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        LITELLM_MODE: 'PRODUCTION',
        LITELLM_LOG: 'ERROR',
        DATABASE_URL: undefined,
        REDIS_URL: undefined,
      },
      ready: async () => (await fetch(`${url}/health/liveliness`)).ok,
    };
  });
  return { url, key };
}
