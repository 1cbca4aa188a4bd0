import { formatDuration } from '../../format/time.ts';
import { causeFilters } from '../errors/error-filters.ts';
import type { Filters, SearchOf } from '../ui/list/filters.ts';

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const usd = { isNumber: true, isOfCost: true, hint: 'USD', shown: (value: string) => `$${value}` } as const;
const duration = {
  isNumber: true,
  hint: 'Milliseconds',
  shown: (value: string) => formatDuration(Number(value)),
} as const;

/** The filters of a list of jobs: `spec 19.20`. */
export const jobFilters = {
  status: {
    label: 'Status',
    isMany: true,
    isInBar: true,
    options: [
      { value: 'pending', label: 'Pending' },
      { value: 'in_progress', label: 'In progress' },
      { value: 'completed', label: 'Completed' },
      { value: 'failed', label: 'Failed' },
      { value: 'cancelled', label: 'Cancelled' },
    ],
  },
  q: { label: 'Begins with', isInBar: true },
  team: { label: 'Team', hint: 'Its id', offers: 'team_id', isForAdmins: true },
  organization: { label: 'Organization', hint: 'Its id', offers: 'organization_id', isForAdmins: true },
  type: { label: 'Type', offers: 'job_type' },
  user: { label: 'User' },
  external: { label: 'External id' },
  key: { label: 'Key id', accepts: (id: string) => uuid.test(id) },
  model: { label: 'Model group', offers: 'model_group' },
  concreteModel: { label: 'Concrete model', isForAdmins: true, offers: 'model' },
  ...causeFilters,
  metadata: { label: 'Metadata', hint: 'key=value', isMany: true, accepts: (pair: string) => pair.indexOf('=') > 0 },
  charged: { label: 'Charged', options: yesOrNo },
  failedCalls: { label: 'Failed calls', options: yesOrNo },
  minCost: { label: 'Cost from', ...usd },
  maxCost: { label: 'Cost to', ...usd },
  minDuration: { label: 'Duration from', ...duration },
  maxDuration: { label: 'Duration to', ...duration },
} as const satisfies Filters<string>;

export type JobFilterSearch = SearchOf<typeof jobFilters>;
