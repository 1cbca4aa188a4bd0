import { once } from 'node:events';
import { createServer } from 'node:http';
import { launchTemporal } from '../../tools/dev/services/temporal/launch-temporal.ts';

/** As Temporal 1.29 with version 1.34 of its database driver answers after a few hundred aborted requests. */
const interrupted = { code: 14, message: 'GetNamespace operation failed. Error interrupted (9)', details: [] };

test.each([
  ['is stuck when its database is interrupted', 503, interrupted, true],
  ['is not stuck when it is busy', 503, { code: 14, message: 'service rate limit exceeded' }, false],
  ['is not stuck when it is healthy', 200, { namespaceInfo: { name: 'default' } }, false],
])('a Temporal server %s', async (_, status, answer, expected) => {
  const launch = await launchTemporal('temporal', '/', { withUi: false, isDurable: true });
  const port = Number(launch.args[launch.args.indexOf('--http-port') + 1]);
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(answer)));
  await once(server.listen(port, '127.0.0.1'), 'listening');

  expect(await launch.isStuck?.()).toBe(expected);

  server.close();
});
