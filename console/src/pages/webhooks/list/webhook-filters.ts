import type { Filters } from '../../../components/ui/list/filters.ts';

export const webhookFilters = {
  team: { label: 'Team', hint: 'Its id' },
  scope: {
    label: 'Webhooks of',
    options: [
      { value: 'platform', label: 'The installation' },
      { value: 'team', label: 'Teams' },
    ],
  },
} satisfies Filters<string>;
export type WebhookFilter = keyof typeof webhookFilters;
