import type { z } from 'zod';
import type {
  AdminUserAnswer,
  AuditEntryAnswer,
  SetupStatus as SetupStatusSchema,
} from '../../../src/contracts/admin-users.ts';
import type { BurnRate as BurnRateSchema } from '../../../src/contracts/burn-rate.ts';
import type {
  CreditTransaction as CreditTransactionSchema,
  LedgerCheck as LedgerCheckSchema,
  Ledger as LedgerSchema,
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
import type { Margins as MarginsSchema } from '../../../src/contracts/margins.ts';
import type { ModelAccessGroupAnswer } from '../../../src/contracts/model-access-groups.ts';
import type { ModelAliasAnswer } from '../../../src/contracts/model-aliases.ts';
import type {
  ModelGroupAnswer,
  ModelResolution as ModelResolutionSchema,
} from '../../../src/contracts/model-groups.ts';
import type { ModelHealth as ModelHealthSchema } from '../../../src/contracts/model-health.ts';
import type {
  OrganizationList as OrganizationListSchema,
  Organization as OrganizationSchema,
} from '../../../src/contracts/organizations.ts';
import type { Overview as OverviewSchema } from '../../../src/contracts/overview.ts';
import type {
  SearchHit as SearchHitSchema,
  SearchResults as SearchResultsSchema,
} from '../../../src/contracts/search.ts';
import type {
  OwnSessionList as OwnSessionListSchema,
  Session as SessionSchema,
} from '../../../src/contracts/sessions.ts';
import type { Live as LiveSchema, System as SystemSchema } from '../../../src/contracts/system.ts';
import type {
  CreatedTeam as CreatedTeamSchema,
  RotatedKey as RotatedKeySchema,
  TeamList as TeamListSchema,
  TeamWithKey as TeamWithKeySchema,
} from '../../../src/contracts/teams.ts';
import type { OrganizationUsage as OrganizationUsageSchema } from '../../../src/contracts/usage.ts';
import type { UsageSeries as UsageSeriesSchema } from '../../../src/contracts/usage-series.ts';
import type {
  Deliveries as DeliveriesSchema,
  DeliveryDetail as DeliveryDetailSchema,
  RegisteredWebhook as RegisteredWebhookSchema,
  WebhookList as WebhookListSchema,
  WebhookWithFailures as WebhookSchema,
} from '../../../src/contracts/webhooks.ts';

/** What the API answers, from its own schemas. Only types: zod is not part of the console. */
export type Session = z.output<typeof SessionSchema>;
export type Permission = Session['permissions'][number];
export type OwnSessions = z.output<typeof OwnSessionListSchema>;
export type SetupStatus = z.output<typeof SetupStatusSchema>;
export type AdminUser = AdminUserAnswer;
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
export type SearchHit = z.output<typeof SearchHitSchema>;

export type Overview = z.output<typeof OverviewSchema>;
export type Attention = NonNullable<Overview['attention']>;
export type UsageSeries = z.output<typeof UsageSeriesSchema>;
export type Margins = z.output<typeof MarginsSchema>;
export type Live = z.output<typeof LiveSchema>;
export type System = z.output<typeof SystemSchema>;

export type TeamList = z.output<typeof TeamListSchema>;
export type Team = TeamList['teams'][number];
export type TeamWithKey = z.output<typeof TeamWithKeySchema>;
export type CreatedTeam = z.output<typeof CreatedTeamSchema>;
export type RotatedKey = z.output<typeof RotatedKeySchema>;
export type BurnRate = z.output<typeof BurnRateSchema>;

export type OrganizationList = z.output<typeof OrganizationListSchema>;
export type OrganizationInList = OrganizationList['organizations'][number];
export type Organization = z.output<typeof OrganizationSchema>;
export type OrganizationUsage = z.output<typeof OrganizationUsageSchema>;

export type Ledger = z.output<typeof LedgerSchema>;
export type LedgerTransaction = Ledger['transactions'][number];
export type LedgerCheck = z.output<typeof LedgerCheckSchema>;

export type ModelGroup = ModelGroupAnswer;
export type ModelAlias = ModelAliasAnswer;
export type ModelAccessGroup = ModelAccessGroupAnswer;
export type ModelResolution = z.output<typeof ModelResolutionSchema>;
export type ModelHealth = z.output<typeof ModelHealthSchema>;

export type Webhook = z.output<typeof WebhookSchema>;
export type WebhookList = z.output<typeof WebhookListSchema>;
export type RegisteredWebhook = z.output<typeof RegisteredWebhookSchema>;
export type Deliveries = z.output<typeof DeliveriesSchema>;
export type DeliveryOfTeam = Deliveries['deliveries'][number];
export type DeliveryDetail = z.output<typeof DeliveryDetailSchema>;
