import { type JobListSearch, readJobList } from '../../../components/jobs/job-search.ts';
import { oneIn, textIn } from '../../../url/search-text.ts';
import { type CallTab, callTabs } from './item/call-tabs.ts';

/** What is open on the receipt, and the list that it was opened from: previous and next go through that. */
export interface ReceiptSearch extends JobListSearch {
  /** The selected item of the timeline: the id of a call, a ledger row, a delivery or an audit entry. */
  item?: string;
  tab?: CallTab;
}

export const readReceiptSearch = (search: Record<string, unknown>): ReceiptSearch => ({
  ...readJobList(search),
  item: textIn(search, 'item'),
  tab: oneIn(search, 'tab', callTabs),
});
