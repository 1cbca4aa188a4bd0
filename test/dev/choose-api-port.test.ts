import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { chooseApiPort } from '../../tools/dev/start-gateway.ts';

const listening = createServer();
beforeAll(() => once(listening.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => listening.close());

test('the api gets another port when its own is in use, and the choice is printed', async () => {
  const taken = (listening.address() as AddressInfo).port;
  const printed: string[] = [];

  const { port } = await chooseApiPort({ PORT: String(taken) }, (line) => printed.push(line));

  expect(port).not.toBe(taken);
  expect(printed.join()).toContain(`Port ${taken} is taken`);
});

test('a PORT that is not a number is refused with the name of the variable', async () => {
  await expect(chooseApiPort({ PORT: 'http' }, () => undefined)).rejects.toThrow(
    'PORT="http": a whole number from 0 to 65535',
  );
});

test('the search for a free port fails at once on an address that is not of this machine', async () => {
  await expect(freePort('192.0.2.1')).rejects.toThrow('Nothing can listen at 192.0.2.1: EADDRNOTAVAIL');
});
