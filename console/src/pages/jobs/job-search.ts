import { oneIn, someIn, textIn, textsIn } from '../../app/search-text.ts';

export const jobStatuses = ['pending', 'in_progress', 'completed', 'failed', 'cancelled'] as const;

/** The filters of the list of jobs, as in its URL, and the job that is open beside it. */
export interface JobSearch {
  status?: (typeof jobStatuses)[number][];
  /** The beginning of a job's id, an external id, a user's id or a job type. */
  q?: string;
  team?: string;
  organization?: string;
  type?: string;
  user?: string;
  external?: string;
  model?: string;
  charged?: 'true' | 'false';
  failedCalls?: 'true' | 'false';
  /** Each `key=value`. */
  metadata?: string[];
  minCost?: string;
  maxCost?: string;
  minDuration?: string;
  maxDuration?: string;
  open?: string;
}

const flags = ['true', 'false'] as const;

export const readJobSearch = (search: Record<string, unknown>): JobSearch => ({
  status: someIn(search, 'status', jobStatuses),
  q: textIn(search, 'q'),
  team: textIn(search, 'team'),
  organization: textIn(search, 'organization'),
  type: textIn(search, 'type'),
  user: textIn(search, 'user'),
  external: textIn(search, 'external'),
  model: textIn(search, 'model'),
  charged: oneIn(search, 'charged', flags),
  failedCalls: oneIn(search, 'failedCalls', flags),
  metadata: textsIn(search, 'metadata')?.filter((pair) => pair.includes('=')),
  minCost: numberIn(search, 'minCost'),
  maxCost: numberIn(search, 'maxCost'),
  minDuration: numberIn(search, 'minDuration'),
  maxDuration: numberIn(search, 'maxDuration'),
  open: textIn(search, 'open'),
});

const numberIn = (search: Record<string, unknown>, name: string): string | undefined => {
  const text = textIn(search, name);
  return text !== undefined && Number.isFinite(Number(text)) ? text : undefined;
};
