import type { JobListSearch } from '../../../../components/jobs/job-search.ts';
import { changePreferences, usePreferences } from '../../../../preferences/preferences.ts';
import type { RangeSearch } from '../../../../url/time-range.ts';
import { builtInViews } from './built-in-views.ts';
import { type SavedView, viewUrl } from './saved-views.ts';

/** The views of this browser, those that everybody has, and the one that is shown. */
export function useViews(list: JobListSearch & RangeSearch) {
  const { jobViews: saved } = usePreferences();
  const url = viewUrl(list);
  const current = [...saved, ...builtInViews].find((view) => view.url === url);
  return {
    saved,
    builtIn: builtInViews,
    url,
    current,
    change: (jobViews: SavedView[]) => changePreferences({ jobViews }),
  };
}
