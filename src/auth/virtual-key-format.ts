import { createHash } from 'node:crypto';
import type { Secrets } from './secrets.ts';

// A virtual key is `sk-` and 48 letters and digits, the last six a checksum: a mistyped key is refused without a query. `spec 2.5`

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(alphabet.length);
const randomLength = 42;
const checksumLength = 6;
const shape = /^sk-[0-9A-Za-z]{48}$/;

function checksum(body: string): string {
  let rest = createHash('sha256').update(body).digest().readUInt32BE(0);
  let text = '';
  for (let length = 0; length < checksumLength; length++) {
    text = alphabet[rest % alphabet.length] + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

/** `seed`: 64 bytes, twice as many as the key contains, so that all letters are practically equally likely. */
export function generateVirtualKey(seed: Buffer): string {
  let rest = BigInt(`0x${seed.toString('hex')}`);
  let body = '';
  while (body.length < randomLength) {
    body += alphabet[Number(rest % base)];
    rest /= base;
  }
  return `sk-${body}${checksum(body)}`;
}

const isWellFormed = (key: string): boolean =>
  shape.test(key) && checksum(key.slice(3, 3 + randomLength)) === key.slice(3 + randomLength);

/** The hashes by which a key is found. Undefined for what does not have the form of a key: no query is needed to refuse it. */
export const hashVirtualKey = ({ lookupHashes }: Pick<Secrets, 'lookupHashes'>, key: string): Buffer[] | undefined =>
  isWellFormed(key) ? lookupHashes(key) : undefined;

/** A key as a page shows it: enough to distinguish two keys, and of no use. `spec 19.5` */
export const maskKey = (key: string): string => `sk-****…${key.slice(-4)}`;
