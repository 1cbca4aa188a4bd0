import { cacheFolder, dataFolder } from '../../tools/dev/folders.ts';
import { setup as setUpServices } from '../support/global-setup.ts';
import { installLitellm } from './install-litellm.ts';

export default async function setup(config: Parameters<typeof setUpServices>[0]): Promise<void> {
  const print = (line: string) => process.stderr.write(`${line}\n`);
  process.env.TEST_LITELLM = JSON.stringify(await installLitellm(cacheFolder(dataFolder()), print));
  await setUpServices(config);
}
