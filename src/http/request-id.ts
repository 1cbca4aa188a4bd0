import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

/** The caller's request id if it is valid, else a new one. `spec 1.4` */
export function requestIdOf({ 'x-request-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && visibleAscii.test(given) ? given : randomUUID();
}
