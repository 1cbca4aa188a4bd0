import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Print } from '../../tools/dev/print.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { installQueryEngine } from './database/install-query-engine.ts';

/** Pinned: the simulator is compared with this version, including the texts of its errors. */
export const litellmVersion = '1.108.7';

const prisma = 'prisma==0.15.0';

export interface InstalledLitellm {
  /** The `litellm` program, in an environment of its own. */
  program: string;
  /** The folder of the packages of the query engine. */
  queryEngine: string;
  /** The folder of the migrations of LiteLLM's database. */
  migrations: string;
}

export async function installLitellm(cache: string, print: Print): Promise<InstalledLitellm> {
  const packages = [`litellm[proxy]==${litellmVersion}`, prisma];
  const programs = await pythonEnvironment(cache, `litellm-${litellmVersion}`, packages, print);
  const [extras] = globSync(join(programs, '../lib/*/site-packages/litellm_proxy_extras'));
  if (!extras) throw new Error('LiteLLM has no schema of its database');
  const folder = join(cache, `litellm-query-engine-${litellmVersion}`);
  const queryEngine = await installQueryEngine(folder, programs, join(extras, 'schema.prisma'), print);
  return { program: join(programs, 'litellm'), queryEngine, migrations: join(extras, 'migrations') };
}
