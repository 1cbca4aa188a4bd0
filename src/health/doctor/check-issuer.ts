import { discoverIssuer } from '../../oidc/oidc-client.ts';
import { type Check, checkedAs } from './checked.ts';

/** Whether the issuer at which people sign in responds as one. */
export const checkIssuer: Check = async ({ config }) => {
  const { OIDC_ISSUER: issuer } = config;
  if (!issuer) return checkedAs('no issuer is set: people sign in with a password');
  try {
    await discoverIssuer(config);
    return checkedAs(`${issuer} responds`);
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return checkedAs('', {
      problems: [`${issuer} does not respond as an issuer of OpenID Connect (${reason}): OIDC_ISSUER`],
    });
  }
};
