import { oneIn, textIn } from '../../app/search-text.ts';
import type { Option } from '../select.tsx';

/** A filter of a list: a parameter of its URL. */
export interface Filter {
  label: string;
  hint?: string;
  /** Its values, where there are only a few. */
  options?: readonly Option<string>[];
  /** It has a control of its own, and is not in the dialog. */
  isInBar?: boolean;
}

export type Filters<Name extends string> = Readonly<Record<Name, Filter>>;
export type FilterSearch<Name extends string> = Partial<Record<Name, string>>;

const namesOf = <Name extends string>(filters: Filters<Name>): Name[] => Object.keys(filters) as Name[];

/** The filters that a URL has. A value that there is not is left out. */
export const readFilters = <Name extends string>(
  filters: Filters<Name>,
  search: Record<string, unknown>,
): FilterSearch<Name> =>
  Object.fromEntries(
    namesOf(filters).map((name) => {
      const { options } = filters[name];
      const values = options?.map(({ value }) => value);
      return [name, values ? oneIn(search, name, values) : textIn(search, name)];
    }),
  ) as FilterSearch<Name>;

export interface ActiveFilter<Name extends string> {
  name: Name;
  label: string;
  value: string;
}

export const activeFilters = <Name extends string>(
  filters: Filters<Name>,
  search: FilterSearch<Name>,
): ActiveFilter<Name>[] =>
  namesOf(filters).flatMap((name) => {
    const value = search[name];
    if (value === undefined) return [];
    const { label, options } = filters[name];
    return [{ name, label, value: options?.find((option) => option.value === value)?.label ?? value }];
  });

export const without = <Name extends string>(...names: Name[]): FilterSearch<Name> =>
  Object.fromEntries(names.map((name) => [name, undefined])) as FilterSearch<Name>;
