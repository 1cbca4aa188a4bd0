import type { AdminUser } from '../../api/types.ts';

type Role = AdminUser['role'];

/** Which accounts the own role may create, change and delete. The service decides by itself: `spec 12.6`. */
export const mayManage = (own: Role | null, other: Role): boolean =>
  own === 'owner' || (own === 'admin' && other === 'user');
