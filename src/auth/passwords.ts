import { createHmac } from 'node:crypto';
import bcrypt from 'bcrypt';

/**
 * Hashes passwords with bcrypt, over a digest, because bcrypt itself ignores what follows 72 bytes or a NUL. A hash takes about
 * 0.3 s of a core, so callers run it in one of the places `passwords`.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * False without a hash, after as much work as with a hash of the cost `usualCost`: the time must not show whether an account
   * exists.
   */
  matches(password: string, hash: string | undefined, usualCost?: number): Promise<boolean>;
  /** Whether the hash has another cost than new ones. */
  isOutdated(hash: string): boolean;
}

/**
 * 64 characters, which bcrypt uses completely. The key is not a secret; it makes the digest useless for any other purpose. It is
 * not derived from MASTER_KEY, because another master key must not lock all users out.
 */
const digest = (password: string): string =>
  createHmac('sha384', 'job-gateway admin password').update(password, 'utf8').digest('base64');

/** A valid hash that no password matches. */
const unmatchableHash = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;

export const createPasswords = (cost: number): Passwords => ({
  hash: (password) => bcrypt.hash(digest(password), cost),
  matches: (password, hash, usualCost = cost) => bcrypt.compare(digest(password), hash ?? unmatchableHash(usualCost)),
  isOutdated: (hash) => bcrypt.getRounds(hash) !== cost,
});
