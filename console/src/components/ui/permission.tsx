import type { ReactNode } from 'react';
import { useMay } from '../../api/session.ts';
import type { PermissionName } from '../../api/types.ts';
import { NotAllowed } from './empty.tsx';

/** Shows its content only to a session with the permission. */
export function Permission({ needs, children }: { needs: PermissionName; children: ReactNode }) {
  return useMay(needs) ? children : null;
}

/** A whole page that needs a permission. */
export function PageFor({ needs, what, children }: { needs: PermissionName; what: string; children: ReactNode }) {
  return useMay(needs) ? children : <NotAllowed what={what} who="An owner or admin" />;
}
