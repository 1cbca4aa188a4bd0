import type { Filters } from '../../../components/ui/list/filters.ts';

export const webhookFilters = { team: { label: 'Team', hint: 'Its id' } } satisfies Filters<string>;
export type WebhookFilter = keyof typeof webhookFilters;
