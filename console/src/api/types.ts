import type { z } from 'zod';
import type { AuditEntryAnswer, SetupStatus as SetupStatusSchema } from '../../../src/contracts/admin-users.ts';
import type {
  CreditTransaction as CreditTransactionSchema,
  TeamCredits as TeamCreditsSchema,
} from '../../../src/contracts/credits.ts';
import type { Changes as ChangesSchema } from '../../../src/contracts/events.ts';
import type {
  CallRecord as CallSchema,
  CallWithPayload as CallWithPayloadSchema,
} from '../../../src/contracts/job-calls.ts';
import type {
  JobHistogram as JobHistogramSchema,
  JobList as JobListSchema,
  ListedJob as ListedJobSchema,
} from '../../../src/contracts/job-lists.ts';
import type { JobTimeline as JobTimelineSchema } from '../../../src/contracts/job-timeline.ts';
import type { Overview as OverviewSchema } from '../../../src/contracts/overview.ts';
import type { SearchResults as SearchResultsSchema } from '../../../src/contracts/search.ts';
import type {
  OwnSessionList as OwnSessionListSchema,
  Session as SessionSchema,
} from '../../../src/contracts/sessions.ts';

/** What the API answers, from its own schemas. Only types: zod is not part of the console. */
export type Session = z.output<typeof SessionSchema>;
export type Permission = Session['permissions'][number];
export type OwnSessions = z.output<typeof OwnSessionListSchema>;
export type SetupStatus = z.output<typeof SetupStatusSchema>;
export type AuditEntry = AuditEntryAnswer;
export type Changes = z.output<typeof ChangesSchema>;

export type Job = z.output<typeof ListedJobSchema>;
export type JobStatus = Job['status'];
export type JobList = z.output<typeof JobListSchema>;
export type JobHistogram = z.output<typeof JobHistogramSchema>;

export type JobTimeline = z.output<typeof JobTimelineSchema>;
export type Verdict = JobTimeline['verdict'];
export type Call = z.output<typeof CallSchema>;
export type CallAttempt = NonNullable<Call['attempts']>[number];
export type CallWithPayload = z.output<typeof CallWithPayloadSchema>;
export type CreditTransaction = z.output<typeof CreditTransactionSchema>;
export type TeamCredits = z.output<typeof TeamCreditsSchema>;
export type Delivery = JobTimeline['deliveries'][number];

export type SearchResults = z.output<typeof SearchResultsSchema>;
export type SearchHit = SearchResults['results'][number];

export type Overview = z.output<typeof OverviewSchema>;
