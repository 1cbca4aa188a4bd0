import {
  Activity,
  Boxes,
  Building2,
  ChartColumn,
  CircleAlert,
  Gauge,
  type LucideIcon,
  MessageSquareText,
  NotebookText,
  ReceiptText,
  Scale,
  ScrollText,
  Server,
  Tag,
  UserRound,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react';
import type { Session } from '../../api/types.ts';

export interface NavItem {
  to:
    | '/'
    | '/audit'
    | '/errors'
    | '/jobs'
    | '/ledger'
    | '/live'
    | '/margins'
    | '/me'
    | '/models'
    | '/organizations'
    | '/playground'
    | '/prices'
    | '/statement'
    | '/system'
    | '/team'
    | '/teams'
    | '/usage'
    | '/users'
    | '/webhooks';
  label: string;
  icon: LucideIcon;
  isFor: (session: Session) => boolean;
}

const may =
  (permission: Session['permissions'][number]) =>
  ({ permissions }: Session): boolean =>
    permissions.includes(permission);

const isTeam = ({ kind }: Session): boolean => kind === 'team';

/** The pages of the sidebar, in its order: a line each. */
export const navItems: readonly NavItem[] = [
  { to: '/', label: 'Overview', icon: Gauge, isFor: (session) => !isTeam(session) && may('usage:read')(session) },
  { to: '/team', label: 'Overview', icon: Gauge, isFor: isTeam },
  { to: '/jobs', label: 'Jobs', icon: ReceiptText, isFor: may('jobs:read') },
  { to: '/errors', label: 'Errors', icon: CircleAlert, isFor: may('usage:read') },
  { to: '/live', label: 'Live', icon: Activity, isFor: may('system:read') },
  { to: '/teams', label: 'Teams', icon: UsersRound, isFor: may('teams:read') },
  { to: '/organizations', label: 'Organizations', icon: Building2, isFor: may('organizations:read') },
  { to: '/ledger', label: 'Ledger', icon: NotebookText, isFor: may('ledger:read') },
  { to: '/statement', label: 'Statement', icon: ScrollText, isFor: isTeam },
  { to: '/usage', label: 'Usage', icon: ChartColumn, isFor: may('usage:read') },
  { to: '/margins', label: 'Margins', icon: Scale, isFor: may('margins:read') },
  { to: '/prices', label: 'Prices', icon: Tag, isFor: may('margins:read') },
  { to: '/models', label: 'Models', icon: Boxes, isFor: may('models:read') },
  {
    to: '/playground',
    label: 'Playground',
    icon: MessageSquareText,
    isFor: (session) => isTeam(session) || may('playground:run')(session),
  },
  { to: '/webhooks', label: 'Webhooks', icon: Webhook, isFor: may('webhooks:read') },
  { to: '/users', label: 'Users', icon: Users, isFor: may('users:read') },
  { to: '/audit', label: 'Audit log', icon: ScrollText, isFor: may('audit:read') },
  { to: '/system', label: 'System', icon: Server, isFor: may('system:read') },
  { to: '/me', label: 'Account', icon: UserRound, isFor: () => true },
];
