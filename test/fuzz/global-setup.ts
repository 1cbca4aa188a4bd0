import { join } from 'node:path';
import { cacheFolder, dataFolder } from '../../tools/dev/folders.ts';
import { setup as setUpServices } from '../support/global-setup.ts';
import { pythonEnvironment } from '../support/python-environment.ts';

const version = '4.32.5';

export default async function setup(config: Parameters<typeof setUpServices>[0]): Promise<void> {
  const print = (line: string) => process.stderr.write(`${line}\n`);
  const name = `schemathesis-${version}`;
  const programs = await pythonEnvironment(cacheFolder(dataFolder()), name, [`schemathesis==${version}`], print);
  process.env.TEST_SCHEMATHESIS_PROGRAM = join(programs, 'st');
  await setUpServices(config);
}
