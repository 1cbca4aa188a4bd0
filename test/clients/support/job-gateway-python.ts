import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { routes } from '../../../src/http/routes.ts';
import { cacheFolder, dataFolder } from '../../../tools/dev/folders.ts';
import { type ApiProcess, startApiProcess } from '../../support/api-process.ts';
import type { Gateway } from '../../support/gateway.ts';
import { pythonEnvironment } from '../../support/python-environment.ts';

export const clientFolder = fileURLToPath(new URL('../../../clients/python', import.meta.url));

/** As `npm run openapi` writes it: the client has the digest of these bytes. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(routes), null, 2)}\n`;

/** The Python with which the client is generated, checked, built and tested. */
export async function clientPython(): Promise<string> {
  const requirements = `${clientFolder}/tests/requirements.txt`;
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const bin = await pythonEnvironment(
    cacheFolder(dataFolder()),
    `python-client-${digest}`,
    ['--require-hashes', '--requirement', requirements],
    (line) => process.stderr.write(`${line}\n`),
  );
  return join(bin, 'python');
}

/** Starts (POST) and kills (DELETE) further processes of the api, for tests in another language. */
export async function controlApis(gateway: () => Gateway): Promise<{ url: string; close(): Promise<void> }> {
  const running = new Map<string, ApiProcess>();
  const server = createServer(async ({ method, url }, response) => {
    if (method === 'POST') {
      const api = await startApiProcess(gateway());
      running.set(api.url, api);
      return response.end(JSON.stringify({ url: api.url }));
    }
    const doomed = new URL(url!, 'http://localhost').searchParams.get('url')!;
    await running.get(doomed)!.kill();
    running.delete(doomed);
    return response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await Promise.all([...running.values()].map((api) => api.kill()));
      server.close();
    },
  };
}
