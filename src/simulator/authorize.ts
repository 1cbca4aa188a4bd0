import { bearer, type Exchange } from './exchange.ts';
import { UpstreamError } from './upstream-error.ts';

/** Management, and the lists that show prices, are for the master key only. */
export function requireMasterKey({ simulation, request }: Exchange): void {
  if (simulation.masterKey !== undefined && bearer(request) !== simulation.masterKey)
    throw unauthorized(bearer(request));
}

/** A chat needs the master key or a registered one. */
export function requireAnyKey(exchange: Exchange): void {
  requireMasterKey(exchange);
}

const unauthorized = (key: string | null): UpstreamError =>
  new UpstreamError(
    401,
    key === null
      ? 'Authentication Error, No api key passed in.'
      : `Authentication Error, Invalid proxy server token passed. Received API Key = sk-...${key.slice(-4)}. Unable to find token in cache or \`LiteLLM_VerificationTokenTable\``,
    { type: key === null ? 'auth_error' : 'token_not_found_in_db', param: key === null ? 'None' : 'key' },
  );
