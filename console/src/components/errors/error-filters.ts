import type { Query } from '../../api/request.ts';
import type { ErrorGroup } from '../../api/types.ts';
import type { Filters, SearchOf } from '../ui/list/filters.ts';

export const kindLabels: Record<ErrorGroup['kind'], string> = {
  context_length: 'Prompt too long',
  content_policy: 'Refused content',
  rejected: 'Rejected request',
  misconfigured: 'Misconfigured',
  over_budget: 'Budget spent',
  rate_limited: 'Rate limited',
  timeout: 'Timeout',
  error: 'Provider error',
  interrupted: 'Worker lost',
};

/** The value of a filter for what has none. */
const none = '(none)';
const shown = (value: string) => (value === none ? 'none' : value);

/** What is the same of errors that are alike: `spec 19.72`. */
export const causeFilters = {
  errorKind: {
    label: 'Error',
    options: Object.entries(kindLabels).map(([value, label]) => ({ value, label })),
  },
  errorGroup: { label: 'Error in group', hint: 'A model group', offers: 'model_group', shown },
  errorModel: { label: 'Error of model', hint: 'A concrete model', isForAdmins: true, offers: 'model', shown },
  errorCode: { label: 'Error code', hint: 'That of the provider', isForAdmins: true, shown },
} as const satisfies Filters<string>;

export type CauseSearch = SearchOf<typeof causeFilters>;

export const toCauseQuery = ({ errorKind, errorGroup, errorModel, errorCode }: CauseSearch): Query => ({
  error_kind: errorKind,
  error_model_group: errorGroup,
  error_model: errorModel,
  error_code: errorCode,
});

/** The filters that a group of errors is. */
export const causeOf = ({ kind, model_group, model, error_code }: ErrorGroup): CauseSearch => ({
  errorKind: kind,
  errorGroup: model_group ?? none,
  ...(model !== undefined && { errorModel: model, errorCode: error_code ?? none }),
});
