import type { CommandedEnd } from '../domain/confirmed-end.ts';
import type { Secrets } from './secrets.ts';

const context = (jobId: string): string => `end of job ${jobId}`;

/**
 * What a client or an admin has commanded, as it passes through Temporal. Temporal has no login: whoever reaches it can send any
 * signal and run any activity, but can neither make a sealed command nor read an admin's id and address in one. `spec 3.19`
 */
export const sealEnd = (secrets: Pick<Secrets, 'seal'>, jobId: string, end: CommandedEnd): string =>
  secrets.seal(JSON.stringify(end), context(jobId)).toString('base64url');

/** Undefined: there is none, or no process of this installation has sealed it for this job. */
export function openEnd(
  secrets: Pick<Secrets, 'open'>,
  jobId: string,
  sealed: string | undefined,
): CommandedEnd | undefined {
  if (sealed === undefined) return undefined;
  try {
    return JSON.parse(secrets.open(Buffer.from(sealed, 'base64url'), context(jobId)));
  } catch {
    return undefined;
  }
}
