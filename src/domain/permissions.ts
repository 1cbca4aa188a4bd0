import type { AdminRole } from './admin-roles.ts';

/** What a caller may do, for a page that shows nobody what is refused to them. The routes decide by themselves. `spec 19.8` */
export const permissions = [
  'jobs:read',
  'jobs:write',
  'jobs:cancel',
  'jobs:refund',
  'jobs:budget',
  'jobs:delete-payloads',
  'credits:write',
  'ledger:read',
  'usage:read',
  'margins:read',
  'teams:read',
  'teams:write',
  'teams:reveal-key',
  'teams:view-as',
  'organizations:read',
  'organizations:write',
  'models:read',
  'models:write',
  'playground:run',
  'webhooks:read',
  'webhooks:write',
  'users:read',
  'users:write',
  'users:passwords',
  'audit:read',
  'system:read',
  'events:read',
] as const;
export type Permission = (typeof permissions)[number];

/** A key of a team, a session of a team by cookie, a view of a team by an admin, the platform key, or an admin user. */
export type Holder = 'team key' | 'team session' | 'team view' | 'platform key' | AdminRole;

const ofTeamSession: readonly Permission[] = [
  'jobs:read',
  'jobs:cancel',
  'ledger:read',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
  'events:read',
];

/** What needs the session of an admin user: the platform key is nobody. */
const ofUsers: readonly Permission[] = [
  'playground:run',
  'users:read',
  'users:write',
  'users:passwords',
  'audit:read',
  'teams:view-as',
];

/** Jobs are made and changed by teams only. */
const ofPlatform = permissions.filter((one) => one !== 'jobs:write' && !ofUsers.includes(one));

const ofOwner = [...ofPlatform, ...ofUsers];

const ofHolder: Record<Holder, readonly Permission[]> = {
  'team key': ['jobs:write', 'jobs:budget', 'jobs:delete-payloads', ...ofTeamSession],
  'team session': ofTeamSession,
  'team view': ['jobs:read', 'ledger:read', 'usage:read', 'webhooks:read'],
  'platform key': ofPlatform,
  owner: ofOwner,
  admin: ofOwner.filter((one) => one !== 'users:passwords'),
  user: [],
};

export const permissionsOf = (holder: Holder): readonly Permission[] => ofHolder[holder];
