import { z } from 'zod';
import { maxBalance } from '../domain/credits.ts';
import { teamJobEnds } from '../domain/job-end.ts';
import { isTaskIdSource, maxTaskIdSources, normalizeTaskIdSource } from '../domain/task-id.ts';
import { agentTurnPolicies, joblessCallPolicies, maxConcurrentCalls, teamStatuses } from '../domain/team.ts';
import { BudgetMaxima, BudgetRequest } from './budgets.ts';
import {
  accountSettings,
  BillingPolicy,
  BudgetMode,
  CreditsPerDollar,
  credits,
  LowBalancePolicy,
  meanings,
  RefillPeriod,
  TokensPerCredit,
} from './credits.ts';
import { csvFormat } from './csv.ts';
import { beginsOnce, beginsTwice, Cursor, shownWithCursor } from './cursor.ts';
import { DayOrMoment } from './date-range.ts';
import {
  CallerId,
  ExactNumber,
  int,
  keptObject,
  Limit,
  message,
  NewCallerId,
  namedEnum,
  Offset,
  optional,
  SearchText,
  StoredObject,
  texts,
  timestamp,
} from './fields.ts';
import { Names } from './models.ts';
import { requestFields, responseFields } from './shared-fields.ts';

/** `spec 6.9`, `spec 8.6` and `spec 8.7` */

export const TeamParams = z.object({ team_id: requestFields.team_id });

const TeamAlias = z.string().max(255).describe('Display name of the team, at most 255 characters');
const LimitPerMinute = z.int().positive().max(maxBalance);
const maxRefill = 1_000_000_000;

/** The budget is in USD. */
const MaxBudget = ExactNumber.min(0);

const TaskIdSource = z.string().refine(isTaskIdSource, {
  message:
    'Input should be header:<name>, header:<name>/<key>, body:user, body:session_id, body:prompt_cache_key, body:metadata.<key>, ' +
    'body:metadata.user_id/<key> or body:client_metadata.<key>; not a header with a credential',
});

/** The sources without repetitions: the first of equal ones stays. `spec 18.3` */
const JobKeyFrom = z
  .array(TaskIdSource)
  .max(maxTaskIdSources)
  .transform((sources) => [...new Set(sources.map(normalizeTaskIdSource))]);

const meaningOfRetention =
  'Days for which requests and answers are kept, 0 to 365; 0: ten minutes after the end of the call. Null: `PAYLOAD_RETENTION_DAYS`';

const meaningOfJobs = {
  job_key_from:
    'Where a call under `/v1` names its task if it names none itself: the first of these that is given. Calls of one task ' +
    'belong to one job',
  jobless_calls:
    'What becomes of a call under `/v1` that names neither a job nor a task: a job of its own (`single`), or a refusal (`refuse`)',
  agent_turns:
    'Whether a call of Claude Code, the Claude Agent SDK, Codex or opencode that names no job belongs to a task of its session or turn, ' +
    'whose job ends as with `X-Job-End: turn`',
  job_end: 'What ends the jobs of tasks with their calls, as `X-Job-End` does, where a call has none',
};

/** Equal ones count once. */
const CreditThresholds = z
  .array(z.int().min(-1_000_000_000).max(1_000_000_000))
  .max(10)
  .transform((thresholds) => [...new Set(thresholds)]);

const GivenMetadata = optional(StoredObject);

/** Fields for which `null` is a value: unlimited, or the default of the system. */
const TeamStatus = namedEnum('TeamStatus', teamStatuses);
const JoblessCallPolicy = namedEnum('JoblessCallPolicy', joblessCallPolicies);
const AgentTurnPolicy = namedEnum('AgentTurnPolicy', agentTurnPolicies);
const JobEnd = namedEnum('JobEnd', teamJobEnds);

const nullable = {
  credit_limit: z
    .int()
    .min(0)
    .max(maxBalance)
    .nullish()
    .describe('A number makes the budget fixed: the balance never falls below 0. Null makes it unlimited'),
  refill_amount: z
    .int()
    .positive()
    .max(maxRefill)
    .nullish()
    .describe('Credits that each refill adds, 1 to 1,000,000,000. Null: none'),
  refill_period: RefillPeriod.nullish().describe(
    'Time between refills: 24 hours, 7 days, or to the same day of the next month, UTC. Null: none',
  ),
  tokens_per_credit: TokensPerCredit.nullish().describe(meanings.tokens_per_credit),
  credits_per_dollar: CreditsPerDollar.nullish().describe(meanings.credits_per_dollar),
  rpm_limit: LimitPerMinute.nullish().describe(meanings.rpm_limit),
  tpm_limit: LimitPerMinute.nullish().describe(meanings.tpm_limit),
  max_concurrent_calls: z.int().positive().max(maxConcurrentCalls).nullish().describe(meanings.max_concurrent_calls),
  next_refill_at: DayOrMoment.nullish().meta({ description: meanings.next_refill_at, example: '2030-02-01T00:00:00Z' }),
  refill_up_to: z.int().min(0).max(maxBalance).nullish().describe(meanings.refill_up_to),
  billing_policy: BillingPolicy.nullish().describe(`${meanings.billing_policy}. Null: \`strict\``),
  usd_per_credit: ExactNumber.min(0).max(1_000_000).nullish().describe(meanings.usd_per_credit),
  reserve_credits: z.int().min(1).max(1_000_000_000).nullish().describe(`${meanings.reserve_credits}. Null: 1`),
  job_budget_defaults: BudgetRequest.nullish().describe(meanings.job_budget_defaults),
  job_budget_maxima: BudgetMaxima.nullish().describe(meanings.job_budget_maxima),
  job_end: JobEnd.nullish().describe(`${meaningOfJobs.job_end}. Null: nothing`),
  payload_retention_days: z.int().min(0).max(365).nullish().describe(meaningOfRetention),
  credit_thresholds: CreditThresholds.nullish().describe(`${meanings.credit_thresholds}. Null: none`),
};

const settings = {
  ...nullable,
  auto_refill: optional(z.boolean()).describe(
    'Whether credits are added every `refill_period`. Needs `refill_amount` and `refill_period`; the first refill is due one ' +
      'period after this was switched on. Off for a new team',
  ),
  budget_mode: optional(BudgetMode).describe(`${meanings.budget_mode}. Default of a new team: \`job_based\``),
  low_balance_policy: optional(LowBalancePolicy).describe(
    '`block`: with a fixed budget and no credit left, no job can be created. `allow`, the default: jobs are created and not charged. ' +
      '`reserve`: each job reserves its credits when it is created, and with a fixed budget is refused without them',
  ),
  job_key_from: optional(JobKeyFrom).describe(
    `${meaningOfJobs.job_key_from}. At most 8 of \`header:<name>\`, \`body:user\`, \`body:session_id\`, \`body:prompt_cache_key\`, ` +
      '`body:metadata.<key>`, `body:client_metadata.<key>`, and for a key of a JSON text `header:<name>/<key>`, ' +
      '`body:metadata.user_id/<key>`; replaces the previous ones. None for a new team',
  ),
  jobless_calls: optional(JoblessCallPolicy).describe(
    `${meaningOfJobs.jobless_calls}. Default of a new team: \`single\``,
  ),
  agent_turns: optional(AgentTurnPolicy).describe(`${meaningOfJobs.agent_turns}. Default of a new team: \`on\``),
  access_groups: optional(Names).describe(
    'Names of the model access groups through which the team reaches model aliases; replaces the previous ones',
  ),
};

export const TeamCreation = z
  .object({
    organization_id: requestFields.organization_id.meta({
      description: 'Id of the organization that the team is to belong to. It must be active',
      example: 'acme',
    }),
    team_id: NewCallerId.meta({
      description: 'Id of the new team, unique in the installation: at most 255 characters without control characters',
      example: 'acme-research',
    }),
    team_alias: optional(TeamAlias),
    name: optional(TeamAlias).describe('An older name of `team_alias`, used when that is absent'),
    model_groups: Names.meta({
      description: 'Names of the model groups that the team may use; may be empty',
      example: ['chat-large'],
    }),
    credits_allocated: optional(z.int().min(0).max(maxBalance)).describe(
      'Credits that the team starts with. Default 0',
    ),
    metadata: GivenMetadata.describe('Any JSON object, stored with the team. Default `{}`'),
    proxy_team_id: optional(CallerId).describe('Id of the team in the upstream proxy. Default `team_id`'),
    max_budget: optional(MaxBudget).describe(
      'Budget of the team in the upstream proxy, in USD, at least 0. Default: computed from the credits',
    ),
    ...settings,
    credit_limit: settings.credit_limit.describe(
      'A number makes the budget fixed, and so does leaving it out: the balance never falls below 0. Null makes it unlimited',
    ),
  })
  .meta({ id: 'TeamCreation' });
export type TeamCreation = z.output<typeof TeamCreation>;

export const CreatedTeam = z
  .object({
    team_id: responseFields.team_id,
    organization_id: responseFields.organization_id,
    team_alias: responseFields.team_alias,
    model_groups: responseFields.model_groups,
    allowed_models: z
      .array(z.string())
      .describe('Names of the concrete models that the model groups resolve to, primary models before their fallbacks'),
    credits_allocated: credits.credits_allocated,
    credits_remaining: credits.credits_remaining,
    credit_limit: credits.credit_limit,
    virtual_key: responseFields.virtual_key,
    message,
  })
  .meta({ id: 'CreatedTeam' });

export const TeamUpdate = z
  .object({
    team_alias: TeamAlias.nullish().describe('Display name of the team, at most 255 characters. Null removes it'),
    metadata: GivenMetadata.describe('Any JSON object; replaces the metadata of the team'),
    ...settings,
  })
  .meta({ id: 'TeamUpdate' });
export type TeamUpdate = z.output<typeof TeamUpdate>;

const status = TeamStatus.describe('`suspended`: every request with a key of the team is refused with 403');

const team = {
  team_id: responseFields.team_id,
  organization_id: responseFields.organization_id,
  team_alias: responseFields.team_alias,
  status,
  is_test: z
    .boolean()
    .describe(
      'Whether it is the test account of the playground, whose calls are made by admins. Figures and ledger include it',
    ),
  model_groups: responseFields.model_groups,
  access_groups: texts('Names of the model access groups through which the team reaches model aliases', ['standard']),
  ...accountSettings,
  job_key_from: texts(`${meaningOfJobs.job_key_from}. Names of headers are in lower case`, ['header:x-session-id']),
  jobless_calls: JoblessCallPolicy.describe(meaningOfJobs.jobless_calls),
  agent_turns: AgentTurnPolicy.describe(meaningOfJobs.agent_turns),
  job_end: JobEnd.nullable().describe(`${meaningOfJobs.job_end}. Null: nothing`),
  payload_retention_days: z.int().nullable().describe(meaningOfRetention),
  metadata: keptObject('What an admin stored with the team; `{}` when nothing was stored'),
  created_at: responseFields.created_at,
  updated_at: responseFields.updated_at,
};

/** A team without its key. */
export const Team = z.object({ ...team, ...credits }).meta({ id: 'Team' });

/** A team with its key. */
export const TeamWithKey = z
  .object({
    ...team,
    credits: z
      .object({
        team_id: responseFields.team_id,
        organization_id: responseFields.organization_id,
        ...credits,
        virtual_key: responseFields.virtual_key,
      })
      .describe("The team's credit account, and its key"),
  })
  .meta({ id: 'TeamWithKey' });

export const TeamListQuery = z
  .object({
    organization_id: requestFields.organization_id.optional().describe('Only teams of this organization'),
    status: TeamStatus.optional().describe('Only teams in this status; without it, in any'),
    q: SearchText.optional().describe('Only teams whose id or alias contains this text, in any case'),
    limit: Limit,
    offset: Offset,
    cursor: Cursor.optional(),
    ...csvFormat,
  })
  .refine(beginsOnce, beginsTwice);

export const TeamList = z
  .object({
    total: responseFields.total,
    teams: z.array(Team).describe('The teams of this page'),
    next_cursor: shownWithCursor,
  })
  .meta({ id: 'TeamList' });

export const ModelGroupsOfTeam = z
  .object({
    model_groups: Names.meta({
      description: 'Names of all model groups that the team may use from now on; may be empty',
      example: ['chat-large'],
    }),
  })
  .meta({ id: 'ModelGroupsOfTeam' });

export const ChangedModelGroups = z
  .object({ team_id: responseFields.team_id, model_groups: responseFields.model_groups, message })
  .meta({ id: 'ChangedModelGroups' });

export const ChangedTeamStatus = z
  .object({ team_id: responseFields.team_id, status, message })
  .meta({ id: 'ChangedTeamStatus' });

/** `spec 8.11` */
export const UserErasure = z
  .object({
    user_id: z.string().min(1).max(255).describe("Id of the client's own user, as it was given with the jobs"),
  })
  .meta({ id: 'UserErasure' });

export const ErasedUser = z
  .object({
    jobs: int('Jobs that have ended and lost what belongs to the user', 12),
    payloads: int('Calls of these whose request and response were deleted', 30),
    open_jobs: int('Jobs of the user that are still open; they are not changed', 0),
  })
  .meta({ id: 'ErasedUser' });

export const KeyRotation = z
  .object({
    grace_seconds: optional(z.int().min(0).max(604_800)).describe(
      'For how many seconds the previous key is still accepted, at most 604,800: 7 days. Default 0',
    ),
  })
  .meta({ id: 'KeyRotation' });

export const RotatedKey = z
  .object({
    team_id: responseFields.team_id,
    virtual_key: responseFields.virtual_key,
    previous_key_expires_at: timestamp('From when on the previous key is refused', '2026-01-31T10:30:00.000Z'),
  })
  .meta({ id: 'RotatedKey' });

export const TeamView = z
  .object({
    team_id: responseFields.team_id,
    expires_at: timestamp('When the view ends at the latest', '2026-01-31T10:30:00.000Z'),
  })
  .meta({ id: 'TeamView' });

export const RevealedKey = z
  .object({ team_id: responseFields.team_id, virtual_key: responseFields.virtual_key })
  .meta({ id: 'RevealedKey' });
