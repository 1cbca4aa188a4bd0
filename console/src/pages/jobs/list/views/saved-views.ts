import { type JobListSearch, pickList, readJobList } from '../../../../components/jobs/job-search.ts';
import { parseSearch, stringifySearch } from '../../../../url/search-text.ts';
import { defaultRange, type RangeSearch, readRange } from '../../../../url/time-range.ts';

/** A list of jobs under a name. `url` is its part of the URL, after the `?`. */
export interface SavedView {
  name: string;
  url: string;
}

export const maxNameLength = 60;

/** The list with its range, which is named even where it is the default: another default later is not to change a view. */
export const viewUrl = (list: JobListSearch & RangeSearch): string => {
  const hasRange = list.range || list.from || list.to;
  return stringifySearch({ ...pickList(list), ...(hasRange ? {} : { range: defaultRange }) });
};

/** What a view shows. What is not understood is left out, as for any URL. */
export function readView(url: string): JobListSearch & RangeSearch {
  const search = parseSearch(url);
  return pickList({ ...readJobList(search), ...readRange(search) });
}

/** A view of the same name is replaced in its place. */
export const withView = (views: readonly SavedView[], view: SavedView): SavedView[] =>
  views.some(({ name }) => name === view.name)
    ? views.map((other) => (other.name === view.name ? view : other))
    : [...views, view];

export const withoutView = (views: readonly SavedView[], name: string): SavedView[] =>
  views.filter((view) => view.name !== name);

/** The views with another name for one of them, which replaces a view that had that name. */
export const renamed = (views: readonly SavedView[], from: string, to: string): SavedView[] =>
  views
    .filter(({ name }) => name === from || name !== to)
    .map((view) => (view.name === from ? { ...view, name: to } : view));

/** A view that the service stores, in the form of the others. */
export const toStoredView = ({ name, query }: { name: string; query: string }): SavedView => ({ name, url: query });
