import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/**
 * The keys of the service. Each is derived from MASTER_KEY with its own label, so that a leaked key reveals nothing about another.
 * `spec 2.5`. While MASTER_KEY_PREVIOUS is set, what was made with that one is still valid: `spec 15.7`.
 */
export interface Secrets {
  /** The HS256 key of admin tokens. */
  jwtKey: Buffer;
  /** The HS256 keys of MASTER_KEY and MASTER_KEY_PREVIOUS: a token that either has signed is valid. */
  jwtKeys: readonly Buffer[];
  /** The keyed digest by which a credential is stored. */
  lookupHash(text: string): Buffer;
  /** The digests by which a credential may be stored: that one, and the one of the previous key. */
  lookupHashes(text: string): Buffer[];
  /** Encrypts with AES-256-GCM. A sealed value opens only with the same `context`, so it cannot be moved to another record. */
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  /** The key id with which values sealed by the current key begin. */
  keyId: Buffer;
  isMasterKey(text: string): boolean;
  /** 64 bytes for a virtual key. A repeated operation gets the same bytes, and so issues the same key. */
  keySeed(operationId: string): Buffer;
  /** The seed with which the operation may have been executed before, under the previous key. */
  previousKeySeed(operationId: string): Buffer | undefined;
}

const derive = (masterKey: string, label: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, 'job-gateway', label, bytes));

/** A key object is prepared once. Bytes would be prepared at each use, which would take most of its time. */
const deriveKey = (masterKey: string, label: string): KeyObject => createSecretKey(derive(masterKey, label));

/**
 * The id reveals nothing about the key. A value without an id begins with random bytes, which equal an id with a probability of
 * 2^-64.
 */
export const keyIdBytes = 8;
const ivBytes = 12;
const tagBytes = 16;

/** What is derived from one master key. */
function deriveKeys(masterKey: string) {
  const lookupKey = deriveKey(masterKey, 'credential lookup');
  const sealingKey = deriveKey(masterKey, 'sealing');
  const seedKey = deriveKey(masterKey, 'virtual keys');
  const compareKey = deriveKey(masterKey, 'comparison');
  const compareDigest = (text: string) => createHmac('sha256', compareKey).update(text).digest('hex');
  const masterDigest = compareDigest(masterKey);
  return {
    id: derive(masterKey, 'key id', keyIdBytes),
    jwtKey: derive(masterKey, 'admin jwt'),
    lookupHash: (text: string) => createHmac('sha256', lookupKey).update(text).digest(),
    keySeed: (operationId: string) => createHmac('sha512', seedKey).update(operationId).digest(),
    // The time of the comparison reveals nothing about the text, because only this service has the key of the digests.
    isMasterKey: (text: string) => compareDigest(text) === masterDigest,
    encrypt(text: string, context: string): Buffer {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(context));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
    },
    decrypt(encrypted: Buffer, context: string): string {
      // A shorter tag, which Node.js would accept, could be guessed.
      const options = { authTagLength: tagBytes };
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, encrypted.subarray(0, ivBytes), options)
        .setAAD(Buffer.from(context))
        .setAuthTag(encrypted.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(encrypted.subarray(ivBytes + tagBytes)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

type Keys = ReturnType<typeof deriveKeys>;

/** A value without a key id belongs to the oldest key, or to the current one where the two have changed places. */
function openWithout(keys: readonly Keys[], sealed: Buffer, context: string): string {
  const [oldest, ...others] = keys.toReversed();
  try {
    return oldest!.decrypt(sealed, context);
  } catch (error) {
    if (others.length === 0) throw error;
    return openWithout(others.toReversed(), sealed, context);
  }
}

export function createSecrets(masterKey: string, previousMasterKey?: string): Secrets {
  const current = deriveKeys(masterKey);
  const previous = previousMasterKey === undefined ? undefined : deriveKeys(previousMasterKey);
  const all = previous ? [current, previous] : [current];
  return {
    jwtKey: current.jwtKey,
    jwtKeys: all.map(({ jwtKey }) => jwtKey),
    keyId: current.id,
    lookupHash: current.lookupHash,
    lookupHashes: (text) => all.map(({ lookupHash }) => lookupHash(text)),
    seal: (text, context) => Buffer.concat([current.id, current.encrypt(text, context)]),
    open(sealed, context) {
      const named = all.find(({ id }) => id.equals(sealed.subarray(0, keyIdBytes)));
      return named ? named.decrypt(sealed.subarray(keyIdBytes), context) : openWithout(all, sealed, context);
    },
    isMasterKey: (text) => all.some((keys) => keys.isMasterKey(text)),
    keySeed: current.keySeed,
    previousKeySeed: (operationId) => previous?.keySeed(operationId),
  };
}
