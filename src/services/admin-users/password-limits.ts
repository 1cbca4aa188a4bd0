/**
 * How a request may compare and hash passwords: in turn and limited. The surface that received the request counts the guesses, because
 * its answer shows the limit.
 */
export interface PasswordLimits {
  /** Does work with passwords in a place of the caller. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the password of this account is right. Refuses after too many failed logins. */
  ofLogins(account: string, compare: () => Promise<boolean>): Promise<boolean>;
  /** Whether the code of this account's second factor is right. Refuses after too many failed logins. */
  ofSecondFactor(account: { email: string; userId: string }, compare: () => Promise<boolean>): Promise<boolean>;
  /** Does work that is a failed login if it throws `oidc_failed`. It waits for the issuer, and so takes no turn. */
  ofOidc<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the user who is logged in has given their password. Refuses after too many wrong ones. */
  ofOwnPassword(userId: string, compare: () => Promise<boolean>): Promise<boolean>;
}
