import { randomBytes } from 'node:crypto';

/** A working day. `spec 19.2` */
export const teamSessionSeconds = 8 * 60 * 60;

const shape = /^team_[\w-]{43}$/;

/** The token of a team's session: random, so that it reveals nothing. It is stored as a digest. */
export const newTeamSessionToken = (): string => `team_${randomBytes(32).toString('base64url')}`;

export const isTeamSessionToken = (token: string): boolean => shape.test(token);
