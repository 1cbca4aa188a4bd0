import * as openid from 'openid-client';
import { type Config, isLoopback } from '../config.ts';
import { hasClaim } from '../domain/claimed-role.ts';
import { type Refusal, refuse } from '../errors.ts';
import type { Log } from '../log.ts';

/** For each request to the issuer. */
const timeoutSeconds = 5;
/** An issuer that moves its endpoints announces that earlier. */
const keptMs = 60 * 60_000;

/** What the answer of the issuer has to fit to. Secret: it proves that it is the same browser. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
}

/** Who has signed in at the issuer, and what it states about them. */
export interface OidcIdentity {
  issuer: string;
  subject: string;
  claims: Readonly<Record<string, unknown>>;
}

/** The issuer of OpenID Connect: the code flow with PKCE, state and nonce. Asked for nothing before somebody signs in. */
export interface OidcClient {
  /** The address at the issuer to which the browser goes. */
  begin(redirectUri: string): Promise<{ address: string; secrets: SignInSecrets }>;
  /** Exchanges the code in the query of the callback. Throws 401, 403 or 503 as a `Refusal`. */
  complete(query: string, secrets: SignInSecrets): Promise<OidcIdentity>;
}

type OidcSettings = Pick<
  Config,
  'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_SCOPE' | 'OIDC_ROLE_CLAIM'
>;

/** Undefined where the settings name no issuer. */
export function createOidcClient(settings: OidcSettings, log: Log): OidcClient | undefined {
  if (!settings.OIDC_ISSUER) return undefined;
  const configuration = keptFor(keptMs, () => discoverIssuer(settings));
  const refused = (what: string, refusal: Refusal) => (error: Error) => {
    // Neither the whole error nor its cause: they hold the code and what the issuer has answered.
    const reasons = { reason: error.message, cause: (error.cause as Error | undefined)?.message };
    log.warn({ ...reasons, code: refusal.code }, `oidc: ${what} failed`);
    throw refusal;
  };
  const reach = () => configuration().catch(refused('discovery', refuse('oidc_unavailable')));
  return {
    async begin(redirectUri) {
      const config = await reach();
      const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()];
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.OIDC_SCOPE,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      return { address: address.href, secrets: { state, nonce, verifier, redirectUri } };
    },
    async complete(query, { state, nonce, verifier, redirectUri }) {
      const config = await reach();
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      const exchange = async () => {
        const tokens = await openid.authorizationCodeGrant(config, new URL(`${redirectUri}${query}`), checks);
        return identify(config, tokens, settings.OIDC_ROLE_CLAIM);
      };
      return exchange().catch((error: Error) => refused('sign-in', toRefusal(error))(error));
    },
  };
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

/** Some issuers put only who it is into the token: then the rest is asked for. */
async function identify(config: openid.Configuration, tokens: Tokens, roleClaim: string): Promise<OidcIdentity> {
  const stated = tokens.claims()!;
  const { iss: issuer, sub: subject } = stated;
  const isWhole = hasClaim(stated, roleClaim) && hasClaim(stated, 'email');
  if (isWhole || !config.serverMetadata().userinfo_endpoint) return { issuer, subject, claims: stated };
  const further = await openid.fetchUserInfo(config, tokens.access_token, subject);
  return { issuer, subject, claims: { ...further, ...stated } };
}

/** What was read, for so long. A failure is not kept. */
function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { until: number; value: Promise<T> } | undefined;
  return () => {
    if (kept && Date.now() < kept.until) return kept.value;
    const value = read();
    const reading = { until: Date.now() + ms, value };
    kept = reading;
    value.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return value;
  };
}

/** What the issuer of the settings states about itself. Rejects where it does not respond, or is none. */
export function discoverIssuer(settings: OidcSettings): Promise<openid.Configuration> {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: secret } = settings;
  const issuer = new URL(OIDC_ISSUER!);
  // The settings permit plain http on this machine alone.
  const isOwnMachine = issuer.protocol === 'http:' && isLoopback(issuer.hostname.replace(/^\[|\]$/g, ''));
  // The signature of the token is checked too, and not only that it came over the connection to the issuer.
  const execute = [openid.enableNonRepudiationChecks, ...(isOwnMachine ? [openid.allowInsecureRequests] : [])];
  const authentication = secret === undefined ? openid.None() : authenticateBy(secret);
  return openid.discovery(issuer, OIDC_CLIENT_ID!, undefined, authentication, { execute, timeout: timeoutSeconds });
}

/** By the method that the issuer takes; it is `client_secret_basic` where it names none. */
function authenticateBy(secret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_post') ? post : basic)(server, client, body, headers);
  };
}

/** The issuer has refused; or what came does not fit; or it did not answer, or not as an issuer does. */
function toRefusal(error: unknown): Refusal {
  if (error instanceof openid.AuthorizationResponseError)
    return refuse(isPassing(error.error) ? 'oidc_unavailable' : 'oidc_denied');
  if (error instanceof openid.ResponseBodyError)
    return refuse(error.error === 'invalid_grant' ? 'oidc_failed' : 'oidc_unavailable');
  return refuse(isOfToken(error) ? 'oidc_failed' : 'oidc_unavailable');
}

const isPassing = (error: string): boolean => ['server_error', 'temporarily_unavailable'].includes(error);

/** Errors of the library about the answer of the browser or the token: a wrong state, nonce, signature, audience, time. */
const ofToken = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
];
const isOfToken = (error: unknown): boolean => ofToken.includes(String((error as { code?: unknown }).code));
