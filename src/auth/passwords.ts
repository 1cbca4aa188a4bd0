import { createHmac } from 'node:crypto';
import bcrypt from 'bcrypt';

/**
 * Passwords at rest: bcrypt, over a digest, because bcrypt itself stops at 72 bytes and at a NUL. Each takes some 0.3 s of a
 * core: callers take turns by the quota `passwords`.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  /**
   * Without a hash false, after as much work as with one of the cost `usualCost`: the time must not show whether an account
   * exists.
   */
  matches(password: string, hash: string | undefined, usualCost?: number): Promise<boolean>;
  /** The hash was made with another cost than new ones are. */
  isOutdated(hash: string): boolean;
}

/** 64 characters, all of which bcrypt reads. The key is no secret: it makes the digest useless for any other purpose. */
const digest = (password: string): string =>
  createHmac('sha384', 'job-gateway admin password').update(password, 'utf8').digest('base64');

/** A hash of the right form that no password matches. */
const hashOfNobody = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;

export const createPasswords = (cost: number): Passwords => ({
  hash: (password) => bcrypt.hash(digest(password), cost),
  matches: (password, hash, usualCost = cost) => bcrypt.compare(digest(password), hash ?? hashOfNobody(usualCost)),
  isOutdated: (hash) => bcrypt.getRounds(hash) !== cost,
});
