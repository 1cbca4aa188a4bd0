import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWK, Provider } from 'oidc-provider';

export interface IssuedClaims {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: string | string[];
}

/** A real provider of OpenID Connect on this machine, where everybody signs in as whom the test names, without a question. */
export interface OidcIssuer {
  url: string;
  /** The settings of a gateway that trusts it. */
  settings: Record<string, string>;
  /** Knows the gateway from now on, which has to know the address of the issuer first. Until then it answers 500. */
  open(gatewayUrl: string): void;
  /** The next sign-in is that of this subject, about whom this is stated. */
  as(subject: string, claims: IssuedClaims): void;
  /** The next sign-in is refused there. */
  deny(): void;
  /** Changes what the gateway is answered at the endpoint of tokens; undefined: nothing. */
  tamper: ((answer: string) => string) | undefined;
  /** Requests so far. */
  requests: string[];
  close(): Promise<void>;
}

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const client = { id: 'gateway', secret: 'a secret of the client for tests' };

export async function startOidcIssuer({ inToken = false } = {}): Promise<OidcIssuer> {
  const accounts = new Map<string, IssuedClaims>();
  let provider: Provider | undefined;
  let next: string | undefined;
  const server: Server = createServer((request, response) => {
    issuer.requests.push(request.url ?? '');
    if (!provider) return void response.writeHead(500).end();
    if (request.url?.startsWith('/interaction/')) return void interact(provider, request, response);
    if (issuer.tamper && request.url === '/token') tamperWith(response, issuer.tamper);
    void provider.callback()(request, response);
  });

  async function interact(from: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await from.interactionDetails(request, response);
    if (next === undefined) {
      await from.interactionFinished(request, response, { error: 'access_denied' });
      return;
    }
    const grant = new from.Grant({ accountId: next, clientId: params.client_id as string });
    grant.addOIDCScope(params.scope as string);
    const grantId = await grant.save();
    const result = { login: { accountId: next, remember: false }, consent: { grantId } };
    await from.interactionFinished(request, response, result);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: OidcIssuer = {
    url,
    settings: {
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_ROLES: 'owner=gateway-owners,admin=gateway-admins,user=gateway-users',
      OIDC_LABEL: 'Example account',
    },
    open(gatewayUrl) {
      provider = new Provider(url, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: [`${gatewayUrl}/api/session/oidc/callback`],
            // Plain http is for tests on one machine.
            application_type: 'native',
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
        conformIdTokenClaims: !inToken,
        cookies: { keys: ['a key of the cookies for tests'] },
        features: { devInteractions: { enabled: false } },
        findAccount: (_context, accountId) => ({
          accountId,
          claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
        }),
        interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
        jwks: { keys: [{ ...key.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' } as JWK] },
        pkce: { required: () => true },
        // Without these it prints that they are missing.
        ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      });
    },
    as(subject, claims) {
      accounts.set(subject, claims);
      next = subject;
    },
    deny() {
      next = undefined;
    },
    tamper: undefined,
    requests: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
}

/** Replaces the body of an answer. */
function tamperWith(response: ServerResponse, change: (answer: string) => string): void {
  const end = response.end.bind(response);
  response.end = ((body: unknown) => {
    const text = change(String(body));
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return end(text);
  }) as ServerResponse['end'];
}
