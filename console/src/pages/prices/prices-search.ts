import { type FilterSearch, type Filters, readFilters } from '../../components/ui/list/filters.ts';

export const priceFilters = { team: { label: 'Team', hint: 'Its id' } } satisfies Filters<string>;

export type PricesSearch = FilterSearch<keyof typeof priceFilters>;

export const readPricesSearch = (search: Record<string, unknown>): PricesSearch => readFilters(priceFilters, search);
