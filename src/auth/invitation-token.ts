import { randomBytes } from 'node:crypto';

/** A week: holidays are longer, but a new link is one click. `spec 12.20` */
export const invitationSeconds = 7 * 24 * 60 * 60;

/** The secret in the link of an invitation. It is stored as a digest. */
export const newInvitationToken = (): string => `invite_${randomBytes(32).toString('base64url')}`;
