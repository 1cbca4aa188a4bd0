import { OrganizationsAndTeams } from './0001-organizations-and-teams.ts';
import { Credits } from './0002-credits.ts';
import { Models } from './0003-models.ts';
import { JobsAndCalls } from './0004-jobs-and-calls.ts';
import { Webhooks } from './0005-webhooks.ts';
import { AdminUsers } from './0006-admin-users.ts';
import { Idempotency } from './0007-idempotency.ts';
import { Usage } from './0008-usage.ts';
import { Workers } from './0009-workers.ts';
import { TeamRegistrations } from './0010-team-registrations.ts';
import { SweepCursors } from './0011-sweep-cursors.ts';
import { AbandonedCalls } from './0012-abandoned-calls.ts';
import { TeamSessions } from './0013-team-sessions.ts';
import { HourlyCalls } from './0014-hourly-calls.ts';
import { DeliveryAttempts } from './0015-delivery-attempts.ts';
import { SessionKinds } from './0016-session-kinds.ts';
import { ConcurrentCalls } from './0017-concurrent-calls.ts';
import { LimitsOfModels } from './0018-limits-of-models.ts';
import { DeliveryPace } from './0019-delivery-pace.ts';
import { FewerIndexesOfJobs } from './0020-fewer-indexes-of-jobs.ts';
import { PendingDeliveriesOfWebhook } from './0021-pending-deliveries-of-webhook.ts';
import { OverBudget } from './0022-over-budget.ts';
import { RetryAfter } from './0023-retry-after.ts';
import { OrderOfJobTypes } from './0024-order-of-job-types.ts';
import { BudgetsAndPrices } from './0025-budgets-and-prices.ts';
import { ChargesByPolicy } from './0026-charges-by-policy.ts';
import { CreditEvents } from './0027-credit-events.ts';
import { JobBudgets } from './0028-job-budgets.ts';
import { Reservations } from './0029-reservations.ts';
import { KeysOfTeams } from './0030-keys-of-teams.ts';
import { JobsOfKeys } from './0031-jobs-of-keys.ts';
import { RetentionOfPayloads } from './0032-retention-of-payloads.ts';
import { PayloadsByRetention } from './0033-payloads-by-retention.ts';
import { AsynchronousCalls } from './0034-asynchronous-calls.ts';
import { StoppedCalls } from './0035-stopped-calls.ts';
import { EmbeddingsAndCachedPrices } from './0039-embeddings-and-cached-prices.ts';
<<<<<<< HEAD
import { StoppedCalls } from './0035-stopped-calls.ts';
=======
import { EmbeddingsAndCachedPrices } from './0039-embeddings-and-cached-prices.ts';
>>>>>>> w-embed

/** Executed in this order. There are no down migrations. The database stores these names: a released one never changes. */
export const migrations = [
  { name: '0001-organizations-and-teams', class: OrganizationsAndTeams },
  { name: '0002-credits', class: Credits },
  { name: '0003-models', class: Models },
  { name: '0004-jobs-and-calls', class: JobsAndCalls },
  { name: '0005-webhooks', class: Webhooks },
  { name: '0006-admin-users', class: AdminUsers },
  { name: '0007-idempotency', class: Idempotency },
  { name: '0008-usage', class: Usage },
  { name: '0009-workers', class: Workers },
  { name: '0010-team-registrations', class: TeamRegistrations },
  { name: '0011-sweep-cursors', class: SweepCursors },
  { name: '0012-abandoned-calls', class: AbandonedCalls },
  { name: '0013-team-sessions', class: TeamSessions },
  { name: '0014-hourly-calls', class: HourlyCalls },
  { name: '0015-delivery-attempts', class: DeliveryAttempts },
  { name: '0016-session-kinds', class: SessionKinds },
  { name: '0017-concurrent-calls', class: ConcurrentCalls },
  { name: '0018-limits-of-models', class: LimitsOfModels },
  { name: '0019-delivery-pace', class: DeliveryPace },
  { name: '0020-fewer-indexes-of-jobs', class: FewerIndexesOfJobs },
  { name: '0021-pending-deliveries-of-webhook', class: PendingDeliveriesOfWebhook },
  { name: '0022-over-budget', class: OverBudget },
  { name: '0023-retry-after', class: RetryAfter },
  { name: '0024-order-of-job-types', class: OrderOfJobTypes },
  { name: '0025-budgets-and-prices', class: BudgetsAndPrices },
  { name: '0026-charges-by-policy', class: ChargesByPolicy },
  { name: '0027-credit-events', class: CreditEvents },
  { name: '0028-job-budgets', class: JobBudgets },
  { name: '0029-reservations', class: Reservations },
  { name: '0030-keys-of-teams', class: KeysOfTeams },
  { name: '0031-jobs-of-keys', class: JobsOfKeys },
  { name: '0032-retention-of-payloads', class: RetentionOfPayloads },
  { name: '0033-payloads-by-retention', class: PayloadsByRetention },
  { name: '0034-asynchronous-calls', class: AsynchronousCalls },
  { name: '0035-stopped-calls', class: StoppedCalls },
  { name: '0039-embeddings-and-cached-prices', class: EmbeddingsAndCachedPrices },
<<<<<<< HEAD
  { name: '0035-stopped-calls', class: StoppedCalls },
=======
  { name: '0039-embeddings-and-cached-prices', class: EmbeddingsAndCachedPrices },
>>>>>>> w-embed
];
