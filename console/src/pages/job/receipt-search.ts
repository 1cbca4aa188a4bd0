import { oneIn, textIn } from '../../app/search-text.ts';
import { type JobListSearch, readJobList } from '../jobs/job-search.ts';

export const detailTabs = ['summary', 'conversation', 'request', 'response', 'raw'] as const;
export type DetailTab = (typeof detailTabs)[number];

/** What is open on the receipt, and the list that it was opened from: previous and next go through that. */
export interface ReceiptSearch extends JobListSearch {
  /** The selected item of the timeline: the id of a call, a ledger row, a delivery or an audit entry. */
  item?: string;
  tab?: DetailTab;
}

export const readReceiptSearch = (search: Record<string, unknown>): ReceiptSearch => ({
  ...readJobList(search),
  item: textIn(search, 'item'),
  tab: oneIn(search, 'tab', detailTabs),
});
