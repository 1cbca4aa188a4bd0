import { once } from 'node:events';
import { createServer } from 'node:http';
import { launchTemporal } from '../../tools/dev/parts/temporal/launch-temporal.ts';

/** In the form of Temporal 1.29 with the driver 1.34 of its database, seen after a few hundred requests that were given up. */
const interrupted = { code: 14, message: 'GetNamespace operation failed. Error interrupted (9)', details: [] };

test.each([
  ['whose database is interrupted for good is stuck', 503, interrupted, true],
  ['that is busy is not', 503, { code: 14, message: 'service rate limit exceeded' }, false],
  ['that is well is not', 200, { namespaceInfo: { name: 'default' } }, false],
])('a server %s', async (_, status, answer, expected) => {
  const launch = await launchTemporal('temporal', '/', { withUi: false });
  const port = Number(launch.args[launch.args.indexOf('--http-port') + 1]);
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(answer)));
  await once(server.listen(port, '127.0.0.1'), 'listening');

  expect(await launch.isStuck?.()).toBe(expected);

  server.close();
});
