import { oneIn, textIn } from '../../url/search-text.ts';

export const modelTabs = ['groups', 'aliases', 'access', 'health', 'resolve'] as const;
export type ModelTab = (typeof modelTabs)[number];

export interface ModelsSearch {
  tab?: ModelTab;
  /** A part of the name by which entries are found. */
  q?: string;
  /** The concrete model whose errors are shown. */
  model?: string;
  /** The input of the dry run. */
  team?: string;
  name?: string;
}

export const readModelsSearch = (search: Record<string, unknown>): ModelsSearch => ({
  tab: oneIn(search, 'tab', modelTabs),
  q: textIn(search, 'q'),
  model: textIn(search, 'model'),
  team: textIn(search, 'team'),
  name: textIn(search, 'name'),
});

/** As the api compares names: `folded` of `src/db/sql/contains.ts`. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');

/** Whether an entry has the text in one of its names, in any case. */
export const matches = (q: string | undefined, ...names: (string | null)[]): boolean =>
  q === undefined || names.some((name) => name !== null && folded(name).includes(folded(q)));
