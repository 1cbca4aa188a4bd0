import { jobFilters } from '../../components/jobs/job-filters.ts';
import { type JobListSearch, orderLabel } from '../../components/jobs/job-search.ts';
import { activeFilters } from '../../components/ui/list/filters.ts';
import { formatMoment } from '../../format/time.ts';
import { type RangeSearch, ranges } from '../../url/time-range.ts';

/** What a list of jobs shows, in few words: `Status Failed · oldest first · last 7 days`. Times are in the zone. */
export function describeList(list: JobListSearch & RangeSearch, zone: string): string {
  const parts = activeFilters(jobFilters, list).map(({ label, value }) => `${label} ${value}`);
  if (list.order) parts.push(inSentence(orderLabel(list.order)));
  if (list.range && !list.from && !list.to) parts.push(inSentence(ranges[list.range].label));
  if (list.from) parts.push(`from ${formatMoment(list.from, zone)}`);
  if (list.to) parts.push(`to ${formatMoment(list.to, zone)}`);
  return parts.join(' · ');
}

const inSentence = (label: string): string => label.replace(/^./, (first) => first.toLowerCase());
