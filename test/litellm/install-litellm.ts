import { join } from 'node:path';
import type { Print } from '../../tools/dev/print.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

/** Pinned: what is compared with it, down to the words of its errors, is this version's. */
export const litellmVersion = '1.106.2';

/** Without a database too LiteLLM needs its client: it answers 500 for a missing key where it cannot import it. */
const prisma = 'prisma==0.15.0';

/** The `litellm` program, in an environment of its own. */
export async function installLitellm(cache: string, print: Print): Promise<string> {
  const packages = [`litellm[proxy]==${litellmVersion}`, prisma];
  return join(await pythonEnvironment(cache, `litellm-${litellmVersion}`, packages, print), 'litellm');
}
