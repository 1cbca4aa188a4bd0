import { type SavedView, viewUrl } from './saved-views.ts';

/** The lists that operators open most. The list of charges with a failed call should always be empty. */
export const builtInViews: readonly SavedView[] = [
  { name: 'Failed today', url: viewUrl({ status: ['failed'], range: 'today' }) },
  {
    name: 'Running longest',
    url: viewUrl({ status: ['pending', 'in_progress'], order: 'oldest', range: '90d' }),
  },
  {
    name: 'Completed, but free for a failed call',
    url: viewUrl({ status: ['completed'], charged: 'false', failedCalls: 'true', range: '30d' }),
  },
  { name: 'Charged with failed calls', url: viewUrl({ charged: 'true', failedCalls: 'true', range: '30d' }) },
  { name: 'Longer than a minute', url: viewUrl({ minDuration: '60000', range: '7d' }) },
];
