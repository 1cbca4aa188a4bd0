import type { FilterField } from '../../../api/filter-values.ts';
import { textsIn } from '../../../url/search-text.ts';
import type { Option } from '../option.ts';

/** A filter of a list: a parameter of its URL. */
export interface Filter {
  label: string;
  hint?: string;
  /** The service offers values of it. */
  offers?: FilterField;
  /** Its values, where there are only a few. */
  options?: readonly Option<string>[];
  /** Whether the filter may have several values. */
  isMany?: true;
  isNumber?: true;
  /** The filter is hidden from a team, whose list has only one value of it. */
  isForAdmins?: true;
  /** The filter is hidden from who does not see costs. */
  isOfCost?: true;
  /** Whether the filter has a control in the bar above the list, and is not in the dialog. */
  isInBar?: boolean;
  /** Whether a text is a value. */
  accepts?: (value: string) => boolean;
  /** A value as it is written in its chip. */
  shown?: (value: string) => string;
}

export type Filters<Name extends string> = Readonly<Record<Name, Filter>>;
type ValueOf<One> = One extends { isMany: true } ? string[] : string;

/** The part of a URL that the filters are. */
export type SearchOf<Declared> = { -readonly [Name in keyof Declared]?: ValueOf<Declared[Name]> };
export type FilterSearch<Name extends string> = Partial<Record<Name, string>>;

const isValue = ({ options, isNumber, accepts }: Filter, value: string): boolean =>
  (options?.some((option) => option.value === value) ?? true) &&
  (!isNumber || Number.isFinite(Number(value))) &&
  (accepts?.(value) ?? true);

/** The value of an input, without what surrounds it; undefined for what is no value. */
export const valueIn = (filter: Filter, input: string): string | undefined => {
  const value = input.trim();
  return value !== '' && isValue(filter, value) ? value : undefined;
};

/** The filters of a URL. A value that is not allowed is left out. */
export const readFilters = <Declared extends Filters<string>>(
  filters: Declared,
  search: Record<string, unknown>,
): SearchOf<Declared> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => {
      const values = (textsIn(search, name) ?? []).filter((value) => isValue(filter, value));
      const used = values.length > 0 ? [...new Set(values)] : undefined;
      return [name, filter.isMany ? used : used?.[0]];
    }),
  ) as SearchOf<Declared>;

export interface ActiveFilter<Declared> {
  name: keyof Declared & string;
  label: string;
  value: string;
  /** The change of the URL that drops this value only. */
  without: SearchOf<Declared>;
}

const valuesIn = <Declared extends Filters<string>>(search: SearchOf<Declared>, name: keyof Declared): string[] =>
  [search[name] ?? []].flat() as string[];

/** The active filters, one for each value. */
export const activeFilters = <Declared extends Filters<string>>(
  filters: Declared,
  search: SearchOf<Declared>,
): ActiveFilter<Declared>[] =>
  Object.entries(filters).flatMap(([name, { label, options, shown }]) =>
    valuesIn(search, name).map((value) => ({
      name,
      label,
      value: options?.find((option) => option.value === value)?.label ?? shown?.(value) ?? value,
      without: toggled(filters, search, name, value),
    })),
  );

/** The change that adds a value, or drops it where the filter has it. */
export function toggled<Declared extends Filters<string>>(
  filters: Declared,
  search: SearchOf<Declared>,
  name: keyof Declared & string,
  value: string,
): SearchOf<Declared> {
  const before = valuesIn(search, name);
  const isDropped = before.includes(value);
  if (!filters[name]!.isMany) return { [name]: isDropped ? undefined : value } as SearchOf<Declared>;
  const after = isDropped ? before.filter((other) => other !== value) : [...before, value];
  return { [name]: after.length > 0 ? after : undefined } as SearchOf<Declared>;
}

/** The change that adds a value, or replaces it where the filter has only one. */
export const added = <Declared extends Filters<string>>(
  filters: Declared,
  search: SearchOf<Declared>,
  name: keyof Declared & string,
  value: string,
): SearchOf<Declared> => (valuesIn(search, name).includes(value) ? {} : toggled(filters, search, name, value));

/** The change that drops all of them. */
export const noFilters = <Declared extends Filters<string>>(filters: Declared): SearchOf<Declared> =>
  Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])) as SearchOf<Declared>;
