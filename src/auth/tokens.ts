import jwt from 'jsonwebtoken';

/** `spec 2.8` */
export const tokenLifetimeMs = 24 * 60 * 60 * 1_000;

/** No credential of ours is longer. A longer one is not hashed, decoded or compared. */
export const maxTokenCharacters = 4_096;

export interface TokenSubject {
  user_id: string;
  email: string;
  role: string;
}

/** An access token of a session, signed with HS256. The claims are for the client; the service reads the database. `spec 2.8` */
export function signToken(key: Buffer, { user_id, email, role }: TokenSubject, sessionId: string, at: Date): string {
  const issuedAt = Math.floor(at.getTime() / 1_000);
  const claims = { user_id, email, role, iat: issuedAt, exp: issuedAt + tokenLifetimeMs / 1_000 };
  return jwt.sign(claims, key, { algorithm: 'HS256', subject: user_id, jwtid: sessionId });
}

function isSignedWith(key: Buffer, token: string): boolean {
  try {
    jwt.verify(token, key, { algorithms: ['HS256'] });
    return true;
  } catch {
    return false;
  }
}

/** Whether we signed the token, with any of the keys, and it has not expired. Other algorithms, such as `none`, are refused. */
export const isGenuineToken = (keys: readonly Buffer[], token: string): boolean =>
  keys.some((key) => isSignedWith(key, token));
