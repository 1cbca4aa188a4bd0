import { Gauge, type LucideIcon, ReceiptText, UserRound } from 'lucide-react';
import type { Session } from '../api/types.ts';

export interface NavItem {
  to: '/jobs' | '/team' | '/me';
  label: string;
  icon: LucideIcon;
  isFor: (session: Session) => boolean;
}

const may =
  (permission: Session['permissions'][number]) =>
  ({ permissions }: Session): boolean =>
    permissions.includes(permission);

const isTeam = ({ kind }: Session): boolean => kind === 'team';

/** The pages of the rail, in its order: a line each. */
export const navItems: readonly NavItem[] = [
  { to: '/team', label: 'Overview', icon: Gauge, isFor: isTeam },
  { to: '/jobs', label: 'Jobs', icon: ReceiptText, isFor: may('jobs:read') },
  { to: '/me', label: 'Account', icon: UserRound, isFor: () => true },
];
