import { createHmac } from 'node:crypto';
import bcrypt from 'bcrypt';
import { createWaitingLines } from '../waiting-lines.ts';

/** Passwords at rest: bcrypt, over a digest, because bcrypt itself stops at 72 bytes and at a NUL. `rulings.md` 12. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** False without a hash, after as much work as with one: the time must not show whether an account exists. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

/** 64 characters, all of which bcrypt reads. The key is no secret: it makes the digest useless for any other purpose. */
const digest = (password: string): string =>
  createHmac('sha384', 'job-gateway admin password').update(password, 'utf8').digest('base64');

/** A hash of the right form that no password matches. */
const hashOfNobody = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;

/** Of Node's four threads, on which a new connection to PostgreSQL computes its proofs: a burst of logins must leave it some. */
const atOnce = 2;

export function createPasswords(cost: number): Passwords {
  const lines = createWaitingLines(atOnce);
  const inTurn = <T>(work: () => Promise<T>) => lines('bcrypt', work);
  return {
    hash: (password) => inTurn(() => bcrypt.hash(digest(password), cost)),
    matches: (password, hash) => inTurn(() => bcrypt.compare(digest(password), hash ?? hashOfNobody(cost))),
  };
}
