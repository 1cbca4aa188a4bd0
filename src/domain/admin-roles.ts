export const adminRoles = ['owner', 'admin', 'user'] as const;
/** How an admin user proves who they are. */
export const signInWays = ['password', 'oidc'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Whether an admin user of the role `own` may create, change and delete accounts of the role `other`. `spec 12.6` */
export const mayManage = (own: AdminRole, other: AdminRole): boolean =>
  own === 'owner' || (own === 'admin' && other === 'user');

/** An admin manages the accounts of role user, but not their passwords. */
export const mayChangePasswordOfOthers = (own: AdminRole): boolean => own === 'owner';
