import type { z } from 'zod';
import type * as adminUsers from '../../../src/contracts/admin-users.ts';
import type * as burnRate from '../../../src/contracts/burn-rate.ts';
import type * as callErrors from '../../../src/contracts/call-errors.ts';
import type * as calls from '../../../src/contracts/calls.ts';
import type * as credits from '../../../src/contracts/credits.ts';
import type * as events from '../../../src/contracts/events.ts';
import type * as filterValues from '../../../src/contracts/filter-values.ts';
import type * as invitations from '../../../src/contracts/invitations.ts';
import type * as jobCalls from '../../../src/contracts/job-calls.ts';
import type * as jobCancellations from '../../../src/contracts/job-cancellations.ts';
import type * as jobLists from '../../../src/contracts/job-lists.ts';
import type * as jobTimeline from '../../../src/contracts/job-timeline.ts';
import type * as keys from '../../../src/contracts/keys.ts';
import type * as margins from '../../../src/contracts/margins.ts';
import type * as modelAccessGroups from '../../../src/contracts/model-access-groups.ts';
import type * as modelAliases from '../../../src/contracts/model-aliases.ts';
import type * as modelGroups from '../../../src/contracts/model-groups.ts';
import type * as modelHealth from '../../../src/contracts/model-health.ts';
import type * as models from '../../../src/contracts/models.ts';
import type * as organizations from '../../../src/contracts/organizations.ts';
import type * as overview from '../../../src/contracts/overview.ts';
import type * as playground from '../../../src/contracts/playground.ts';
import type * as prices from '../../../src/contracts/prices.ts';
import type * as search from '../../../src/contracts/search.ts';
import type * as sessions from '../../../src/contracts/sessions.ts';
import type * as statement from '../../../src/contracts/statement.ts';
import type * as system from '../../../src/contracts/system.ts';
import type * as teamModels from '../../../src/contracts/team-models.ts';
import type * as teams from '../../../src/contracts/teams.ts';
import type * as usage from '../../../src/contracts/usage.ts';
import type * as usageSeries from '../../../src/contracts/usage-series.ts';
import type * as views from '../../../src/contracts/views.ts';
import type * as webhooks from '../../../src/contracts/webhooks.ts';

/** What the API answers, from its own schemas. Only types: zod is not part of the console. */
type Of<Schema extends z.ZodType> = z.output<Schema>;

export type Session = Of<typeof sessions.Session>;
export type PermissionName = Session['permissions'][number];
export type OwnSessionList = Of<typeof sessions.OwnSessionList>;
export type SetupStatus = Of<typeof adminUsers.SetupStatus>;
export type AdminUser = adminUsers.AdminUserResponse;
export type Invitation = invitations.Invitation;
export type InvitationWithLink = invitations.InvitationWithLink;
export type OpenInvitation = invitations.OpenInvitation;
export type StartedSecondFactor = adminUsers.StartedSecondFactor;
export type RecoveryCodes = adminUsers.RecoveryCodes;
export type AuditEntry = adminUsers.AuditEntryResponse;
export type Changes = Of<typeof events.Changes>;

export type Job = Of<typeof jobLists.ListedJob>;
export type JobStatus = Job['status'];
export type JobList = Of<typeof jobLists.JobList>;
export type JobTotals = Of<typeof jobLists.JobTotals>;
export type CancelledJobs = Of<typeof jobCancellations.CancelledJobs>;
export type JobHistogram = Of<typeof jobLists.JobHistogram>;

export type JobTimeline = Of<typeof jobTimeline.JobTimeline>;
export type Verdict = JobTimeline['verdict'];
export type Call = Of<typeof jobCalls.CallRecord>;
export type CallAttempt = NonNullable<Call['attempts']>[number];
export type CallWithPayload = Of<typeof jobCalls.CallWithPayload>;
export type CallChunk = Of<typeof calls.Chunk>;
export type DeletedPayloads = Of<typeof jobCalls.DeletedPayloads>;
export type CreditTransaction = Of<typeof credits.CreditTransaction>;
export type TeamCredits = Of<typeof credits.TeamCredits>;
export type Delivery = JobTimeline['deliveries'][number];

export type FilterValues = Of<typeof filterValues.FilterValues>;
export type SharedView = Of<typeof views.View>;

export type SearchResults = Of<typeof search.SearchResults>;
export type SearchHit = Of<typeof search.SearchHit>;

export type Overview = Of<typeof overview.Overview>;
export type Attention = NonNullable<Overview['attention']>;
export type UsageSeries = Of<typeof usageSeries.UsageSeries>;
export type Errors = Of<typeof callErrors.Errors>;
export type ErrorGroup = Errors['groups'][number];
export type FailedCalls = Of<typeof callErrors.FailedCalls>;
export type FailedCall = FailedCalls['calls'][number];
export type Margins = Of<typeof margins.Margins>;
export type TeamKey = Of<typeof keys.TeamKey>;
export type FirstKey = Of<typeof keys.FirstKey>;
export type EndedKeys = Of<typeof keys.EndedKeys>;
export type TeamKeyList = Of<typeof keys.TeamKeyList>;
export type CreatedTeamKey = Of<typeof keys.CreatedTeamKey>;
export type Price = Of<typeof prices.JobTypePrice>;
export type PriceList = Of<typeof prices.PriceList>;
export type Live = Of<typeof system.Live>;
export type System = Of<typeof system.System>;

export type TeamList = Of<typeof teams.TeamList>;
export type Team = TeamList['teams'][number];
export type TeamWithKey = Of<typeof teams.TeamWithKey>;
export type CreatedTeam = Of<typeof teams.CreatedTeam>;
export type RotatedKey = Of<typeof teams.RotatedKey>;
export type ErasedUser = Of<typeof teams.ErasedUser>;
export type ModelsOfTeam = Of<typeof teamModels.ModelsOfTeam>;
export type ModelOfTeam = ModelsOfTeam['models'][number];
export type Statement = Of<typeof statement.Statement>;
export type BurnRate = Of<typeof burnRate.BurnRate>;

export type OrganizationList = Of<typeof organizations.OrganizationList>;
export type OrganizationInList = OrganizationList['organizations'][number];
export type Organization = Of<typeof organizations.Organization>;
export type OrganizationUsage = Of<typeof usage.OrganizationUsage>;

export type Ledger = Of<typeof credits.Ledger>;
export type LedgerTransaction = Ledger['transactions'][number];
export type LedgerCheck = Of<typeof credits.LedgerCheck>;

export type ModelGroup = modelGroups.ModelGroupResponse;
export type ModelAlias = modelAliases.ModelAliasResponse;
export type ModelAccessGroup = modelAccessGroups.ModelAccessGroupResponse;
export type ModelResolution = Of<typeof modelGroups.ModelResolution>;
export type ModelHealth = Of<typeof modelHealth.ModelHealth>;
export type UpstreamModels = Of<typeof models.UpstreamModels>;

export type Playground = Of<typeof playground.Playground>;
export type PlaygroundRun = Of<typeof playground.PlaygroundRun>;

export type Webhook = Of<typeof webhooks.WebhookWithFailures>;
export type WebhookList = Of<typeof webhooks.WebhookList>;
export type RegisteredWebhook = Of<typeof webhooks.RegisteredWebhook>;
export type RedeliveredMany = Of<typeof webhooks.RedeliveredMany>;
export type Deliveries = Of<typeof webhooks.Deliveries>;
export type DeliveryOfTeam = Deliveries['deliveries'][number];
export type DeliveryDetail = Of<typeof webhooks.DeliveryDetail>;
