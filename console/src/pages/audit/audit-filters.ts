import type { Filters } from '../../components/ui/list/filters.ts';

const kinds = [
  'team',
  'key',
  'organization',
  'job',
  'webhook',
  'model_group',
  'model_alias',
  'model_access_group',
  'admin_user',
  'admin_session',
  'invitation',
  'request',
];

export const auditFilters = {
  q: { label: 'Contains', isInBar: true },
  kind: {
    label: 'About',
    isInBar: true,
    options: kinds.map((kind) => ({ value: kind, label: kind.replaceAll('_', ' ') })),
  },
  user: { label: 'Account', hint: 'The id of who has acted' },
  action: { label: 'Action', hint: 'Such as created_team' },
  resource: { label: 'Id or name', hint: 'Of what it was done to' },
} satisfies Filters<string>;

export type AuditFilter = keyof typeof auditFilters;
