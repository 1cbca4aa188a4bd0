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
 * `spec 2.5`
 */
export interface Secrets {
  /** The HS256 key of admin tokens. */
  jwtKey: Buffer;
  /** The keyed digest by which a credential is looked up. */
  lookupHash(text: string): Buffer;
  /** Encrypts with AES-256-GCM. A sealed value opens only with the same `context`, so it cannot be moved to another record. */
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  isMasterKey(text: string): boolean;
  /** 64 bytes for a virtual key. A repeated operation gets the same bytes, and so issues the same key. */
  keySeed(operationId: string): Buffer;
}

const derive = (masterKey: string, label: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, 'job-gateway', label, 32));

/** A key object is prepared once. Bytes would be prepared at each use, which would take most of its time. */
const deriveKey = (masterKey: string, label: string): KeyObject => createSecretKey(derive(masterKey, label));

const ivBytes = 12;
const tagBytes = 16;

export function createSecrets(masterKey: string): Secrets {
  const lookupKey = deriveKey(masterKey, 'credential lookup');
  const sealingKey = deriveKey(masterKey, 'sealing');
  const seedKey = deriveKey(masterKey, 'virtual keys');
  const compareKey = deriveKey(masterKey, 'comparison');
  const compareDigest = (text: string) => createHmac('sha256', compareKey).update(text).digest('hex');
  const masterDigest = compareDigest(masterKey);

  return {
    jwtKey: derive(masterKey, 'admin jwt'),
    lookupHash: (text) => createHmac('sha256', lookupKey).update(text).digest(),
    seal(text, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed, context) {
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(0, ivBytes))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
    // The time of the comparison reveals nothing about the text, because only this service has the key of the digests.
    isMasterKey: (text) => compareDigest(text) === masterDigest,
    keySeed: (operationId) => createHmac('sha512', seedKey).update(operationId).digest(),
  };
}
