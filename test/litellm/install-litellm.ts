import { join } from 'node:path';
import type { Print } from '../../tools/dev/print.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

/** Pinned: the simulator is compared with this version, including the texts of its errors. */
export const litellmVersion = '1.106.2';

/** LiteLLM needs the client also without a database: otherwise it answers 500 to a missing key. */
const prisma = 'prisma==0.15.0';

/** The `litellm` program, in an environment of its own. */
export async function installLitellm(cache: string, print: Print): Promise<string> {
  const packages = [`litellm[proxy]==${litellmVersion}`, prisma];
  return join(await pythonEnvironment(cache, `litellm-${litellmVersion}`, packages, print), 'litellm');
}
