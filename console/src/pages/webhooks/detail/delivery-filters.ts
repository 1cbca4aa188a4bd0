import type { Filters } from '../../../components/ui/list/filters.ts';

export const deliveryFilters = {
  state: {
    label: 'Delivery',
    isInBar: true,
    options: [
      { value: 'exhausted', label: 'Exhausted' },
      { value: 'pending', label: 'Pending' },
      { value: 'delivered', label: 'Delivered' },
    ],
  },
} satisfies Filters<string>;
