import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { chooseApiPort } from '../../tools/dev/choose-api-port.ts';
import { freePort } from '../../tools/dev/parts/free-port.ts';

const listening = createServer();
beforeAll(() => once(listening.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => listening.close());

test('a port that somebody has is passed over, and that is said', async () => {
  const taken = (listening.address() as AddressInfo).port;
  const said: string[] = [];

  const { port } = await chooseApiPort({ PORT: String(taken) }, (line) => said.push(line));

  expect(port).not.toBe(taken);
  expect(said.join()).toContain(`Port ${taken} is taken`);
});

test('what is no port is refused by its name', async () => {
  await expect(chooseApiPort({ PORT: 'http' }, () => undefined)).rejects.toThrow('PORT: ');
});

test('a host that is not of this machine is said, not searched through', async () => {
  await expect(freePort('192.0.2.1')).rejects.toThrow('Nothing can listen at 192.0.2.1: EADDRNOTAVAIL');
});
