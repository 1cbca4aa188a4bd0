import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import jwt from 'jsonwebtoken';

/** Signs tokens, and serves the key to verify them at a loopback address, as an identity provider does. */
export async function openTokenIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyid = 'first';
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: keyid, use: 'sig', alg: 'ES256' }];
  const server = createServer((_, response) => response.end(JSON.stringify({ keys })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    keysAt: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    sign: (subject: string, permissions: string[], expiresIn = 3_600) =>
      jwt.sign({ permissions }, privateKey, { algorithm: 'ES256', keyid, subject, expiresIn }),
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
