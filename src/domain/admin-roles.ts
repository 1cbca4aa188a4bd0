export const adminRoles = ['owner', 'admin', 'user'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Who may create, change and delete accounts of a role. `spec 12.6` */
export const mayManage = (own: AdminRole, other: AdminRole): boolean =>
  own === 'owner' || (own === 'admin' && other === 'user');

/** An admin manages the accounts of role user, their passwords excepted. */
export const mayChangePasswordOfOthers = (own: AdminRole): boolean => own === 'owner';
