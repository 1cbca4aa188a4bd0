import { cacheFolder, dataFolder } from '../../tools/dev/folders.ts';
import { setup as setUpServices } from '../support/global-setup.ts';
import { installNodeClients, installPythonClients } from './support/install-clients.ts';

export default async function setup(config: Parameters<typeof setUpServices>[0]): Promise<void> {
  const print = (line: string) => process.stderr.write(`${line}\n`);
  await installNodeClients(print);
  process.env.TEST_CLIENTS_PYTHON = await installPythonClients(cacheFolder(dataFolder()), print);
  await setUpServices(config);
}
