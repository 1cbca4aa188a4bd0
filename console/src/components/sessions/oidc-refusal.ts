/** Why a sign-in at the identity provider has led back to the page to sign in, and what helps. */
const sentences: Record<string, string> = {
  oidc_off: 'Here nobody signs in with an identity provider: the operator has not set one up.',
  oidc_failed:
    'The sign-in was not completed: it took more than ten minutes, was completed before, or was begun in another browser. Try again.',
  oidc_denied: 'The identity provider has refused the sign-in.',
  oidc_no_role: 'Your account at the identity provider has no role here. Who manages its groups can give it one.',
  oidc_no_email: 'The identity provider names no valid e-mail for your account.',
  oidc_email_taken:
    'There is another account with your e-mail, which signs in with a password. Sign in with it, or ask an owner to delete it.',
  oidc_unavailable: 'The identity provider does not answer. Try again soon, or sign in with a password.',
  account_inactive: 'Your account is not active. An owner can activate it.',
  last_owner:
    'You are the last owner, and the identity provider gives you a lower role. Make somebody else an owner first.',
  too_many_logins: 'There were too many failed sign-ins from your network. Try again in a quarter of an hour.',
};

/** The page is linked to by anybody: it shows sentences of its own only. */
export const oidcRefusal = (code: string): string => sentences[code] ?? 'The sign-in was not completed. Try again.';
