import { createHmac, randomBytes } from 'node:crypto';

/** RFC 6238 as every authenticator has it: SHA-1, six digits, 30 seconds. */
const stepSeconds = 30;
const digits = 6;
/** The clock of a phone may be one step early or late. */
const tolerance = [0, -1, 1] as const;

/** As long as the digest of SHA-1, which RFC 4226 recommends. */
const secretBytes = 20;
/** Without the letters and digits that are read as each other: RFC 4648. */
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => base32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** A secret of a second factor, as it is typed into an authenticator. */
export const newOneTimeSecret = (): string => toBase32(randomBytes(secretBytes));

/** The address that an authenticator reads from a QR code. */
export function oneTimeUri(secret: string, account: string, issuer: string): string {
  const [label, name] = [`${issuer}:${account}`, issuer].map(encodeURIComponent);
  return `otpauth://totp/${label}?secret=${secret}&issuer=${name}`;
}

/** RFC 4226, 5.3. */
export function oneTimeCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

export const stepAt = (ms: number): number => Math.floor(ms / 1_000 / stepSeconds);

/** The step whose code this is, near the time; undefined: it is none. How long it takes says nothing that helps to guess. */
export const stepOfCode = (secret: string, code: string, ms = Date.now()): number | undefined =>
  tolerance.map((by) => stepAt(ms) + by).find((step) => oneTimeCode(secret, step) === code);

/** The context in which the secret of a user is sealed. */
export const secondFactorContext = (userId: string): string => `second-factor:${userId}`;

const recoveryCodes = 10;
/** 80 bits: too many to try, so that a digest without salt or cost hides it. */
const recoveryBytes = 10;

/** The codes that stand in for the second factor, each once: `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () => toBase32(randomBytes(recoveryBytes)).replace(/.{4}(?=.)/g, '$&-'));

/** A code as it is compared, however it was typed: `123 456`, `abcd efgh…`. */
export const typedCode = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase();

/** Not keyed by MASTER_KEY: another master key must not lock all users out (decision 132). */
export const hashRecoveryCode = (userId: string, code: string): Buffer =>
  createHmac('sha256', 'job-gateway recovery code')
    .update(`${userId} ${typedCode(code)}`)
    .digest();
