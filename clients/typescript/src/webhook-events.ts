import type {
  AttentionKind,
  AttentionSeverity,
  AttentionSubject,
  BudgetCap,
  TransactionType,
} from './types.generated.ts';

/** What the events of a job have of it, as it was at that moment. `metadata` of more than 2,048 bytes is null. */
export interface JobEventData {
  job_type: string;
  external_task_id: string | null;
  user_id: string | null;
  metadata: Record<string, unknown> | null;
}

interface JobEndData extends JobEventData {
  total_calls: number;
  failed_calls: number;
  total_tokens: number;
  total_cost_usd: number;
  credit_applied: boolean;
  /** Of a job that has not completed only under the policy `answered`. */
  credits_charged?: number;
  duration_seconds: number;
}

interface CallEndData extends JobEventData {
  call_id: string;
  purpose: string | null;
  total_tokens: number;
  latency_ms: number;
  /** Null of `call.completed`. */
  error: string | null;
}

interface BudgetData extends JobEventData {
  cap: BudgetCap;
  limit: number;
  spent: number;
  held: number;
  needed: number;
}

interface CreditData {
  credits_remaining: number;
}

/** What needs attention, for the webhooks of the installation. */
export interface AttentionData {
  /** The same in the event that opens it and the one that closes it. */
  attention_id: string;
  kind: AttentionKind;
  severity: AttentionSeverity;
  subject: { type: AttentionSubject; id: string; name: string; team_id: string | null };
  since: string | null;
  /** For people: what is the matter, or what is over. */
  sentence: string;
  /** The page of the console: a path where the gateway has no `PUBLIC_URL`. */
  link: string;
}

interface Payload<Event extends string, Data, JobId = string, TeamId = string> {
  event: Event;
  job_id: JobId;
  team_id: TeamId;
  timestamp: string;
  data: Data;
}

/** The body of a delivery: `event` says which `data` it has. */
export type WebhookPayload =
  | Payload<'job.created', JobEventData>
  | Payload<'job.started', JobEventData & { started_at: string }>
  | Payload<'job.completed', JobEndData & { credits_charged: number }>
  | Payload<'job.failed', JobEndData & { error_message: string | null }>
  | Payload<'job.cancelled', JobEndData & { reason: string | null }>
  | Payload<'job.budget_reached', BudgetData>
  | Payload<'call.completed' | 'call.failed', CallEndData>
  | Payload<
      'credits.threshold',
      CreditData & { threshold: number; transaction_id: string; transaction_type: TransactionType },
      string | null
    >
  | Payload<
      'credits.exhausted',
      CreditData & { reason: 'balance' | 'charge' | 'creation'; credits_available: number },
      string | null
    >
  | Payload<'attention.opened', AttentionData, null, null>
  | Payload<'attention.closed', AttentionData & { ended_at: string }, null, null>
  | Payload<'webhook.test', { webhook_id: string }, string, string | null>;
