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
 * The keys of the service, each derived from MASTER_KEY with its own label, so that a leaked one tells nothing about another.
 * `spec 2.5`
 */
export interface Secrets {
  /** HS256 key of the admin JWT. */
  jwtKey: Buffer;
  /** Keyed digest to find a credential by. */
  lookupHash(text: string): Buffer;
  /** AES-256-GCM; `context` has to be the same to open it again, so that a sealed value cannot be moved elsewhere. */
  seal(text: string, context: string): Buffer;
  open(sealed: Buffer, context: string): string;
  isMasterKey(text: string): boolean;
  /** 64 bytes for a virtual key, the same for the same operation: an operation that is carried out again issues the same key. */
  keySeed(operationId: string): Buffer;
}

const derive = (masterKey: string, label: string): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, 'job-gateway', label, 32));

/** Prepared once: with the bare bytes each use prepares them again, which is most of its time. */
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
    // Digests under a key that only this service has: comparing them tells nothing about the text.
    isMasterKey: (text) => compareDigest(text) === masterDigest,
    keySeed: (operationId) => createHmac('sha512', seedKey).update(operationId).digest(),
  };
}
