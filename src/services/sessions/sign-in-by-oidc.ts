import { refuse } from '../../errors.ts';
import type { SignInSecrets } from '../../oidc/oidc-client.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';
import { openOidcSession } from './open-oidc-session.ts';
import type { OpenedSession } from './open-session.ts';

/** A sign-in that goes on at the issuer, as the browser keeps it. */
export interface BegunSignIn extends SignInSecrets {
  /** The page of the console that was asked for. */
  next?: string | undefined;
  /** In milliseconds since the epoch. */
  endsAt: number;
}

const sealContext = 'sign-in by OpenID Connect';
const lastsMs = 10 * 60_000;

/** The address at the issuer to which the browser goes, and what it keeps meanwhile: nobody but this installation can read it (decision 133). */
export async function beginOidcSignIn(
  { deps }: ServiceContext,
  redirectUri: string,
  next: string | undefined,
): Promise<{ address: string; kept: string }> {
  if (!deps.oidc) throw refuse('oidc_off');
  const { address, secrets } = await deps.oidc.begin(redirectUri);
  const begun: BegunSignIn = { ...secrets, next, endsAt: Date.now() + lastsMs };
  return { address, kept: deps.secrets.seal(JSON.stringify(begun), sealContext).toString('base64url') };
}

/** The sign-in that this browser has begun; undefined: it has begun none that goes on. */
export function openBegunSignIn({ secrets }: Pick<ServiceDeps, 'secrets'>, kept: string | undefined) {
  try {
    const begun: BegunSignIn = JSON.parse(secrets.open(Buffer.from(kept ?? '', 'base64url'), sealContext));
    return begun.endsAt > Date.now() ? begun : undefined;
  } catch {
    return undefined;
  }
}

/** Opens a session of the console with what the issuer has sent the browser back with. Each sign-in that was begun is completed once. */
export function completeOidcSignIn(
  context: ServiceContext,
  { query, begun }: { query: string; begun: BegunSignIn | undefined },
  limits: PasswordLimits,
): Promise<OpenedSession> {
  const { oidc } = context.deps;
  if (!oidc) throw refuse('oidc_off');
  return limits.ofOidc(async () => {
    if (!begun || new URLSearchParams(query).get('state') !== begun.state) throw refuse('oidc_failed');
    await useUp(context.deps, begun);
    return openOidcSession(context, await oidc.complete(query, begun));
  });
}

/** Before the code is exchanged, so that of two browsers with the same cookie one is refused. */
async function useUp({ rateLimits }: ServiceDeps, { state }: BegunSignIn): Promise<void> {
  const use = { key: `oidc-sign-in:${state}`, cost: 1, limit: 1, windowMs: lastsMs };
  if ((await rateLimits.take([use])).refusedBy !== undefined) throw refuse('oidc_failed');
}
