import { createHash } from 'node:crypto';

/** Names of functions are no longer for most models. */
const maxLength = 64;
const hashDigits = 8;

/** The name of a function for the model. That of a tool in a namespace has the namespace. `spec 29.9` */
export function functionName(name: string, namespace: string | undefined): string {
  if (namespace === undefined) return name;
  const whole = `${namespace}__${name}`;
  if (whole.length <= maxLength) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, hashDigits);
  return whole.slice(0, maxLength - hashDigits) + hash;
}
