/**
 * Who has something of a process: a network without a credential, a team with its key and all its sessions, or an admin (a user with
 * all sessions, or the platform key).
 */
export type Holder = `${HolderKind}:${string}`;
export type HolderKind = 'network' | 'team' | 'admin';

export const teamHolder = (teamId: string): Holder => `team:${teamId}`;
export const adminHolder = (name: string): Holder => `admin:${name}`;
/** The holder where all holders count as one. */
export const everybody: Holder = 'admin:everybody';
/** `network`: as `networkOf` has it. */
export const networkHolder = (network: string): Holder => `network:${network}`;

export const kindOf = (holder: Holder): HolderKind => holder.slice(0, holder.indexOf(':')) as HolderKind;
