import { policyLabels } from '../../../components/teams/billing-policies.ts';

/** The fields of the form, as text. A field without a value is empty. */
export interface SettingsDraft {
  team_alias: string;
  credit_limit: string;
  budget_mode: string;
  tokens_per_credit: string;
  credits_per_dollar: string;
  low_balance_policy: string;
  billing_policy: string;
  usd_per_credit: string;
  auto_refill: string;
  refill_amount: string;
  refill_period: string;
  refill_up_to: string;
  reserve_credits: string;
  credit_thresholds: string;
  job_budget_defaults: string;
  job_budget_maxima: string;
  payload_retention_days: string;
  rpm_limit: string;
  tpm_limit: string;
  max_concurrent_calls: string;
  agent_turns: string;
  job_end: string;
  jobless_calls: string;
  job_key_from: string;
  metadata: string;
}

/** A setting of a team as it is shown in the form. */
export interface Setting {
  name: keyof SettingsDraft;
  label: string;
  section: 'Team' | 'Credits';
  hint?: string;
  /** The setting that holds without a value. */
  placeholder?: string;
  inputMode?: 'numeric' | 'decimal';
  /** Its values, where there are only a few. */
  options?: readonly { value: string; label: string }[];
  /** Whether the text has several lines. */
  isLong?: boolean;
}

export const byDefault = 'default of the installation';

export const settings: readonly Setting[] = [
  { section: 'Team', name: 'team_alias', label: 'Name' },
  { section: 'Team', name: 'rpm_limit', label: 'LLM calls a minute', inputMode: 'numeric', placeholder: byDefault },
  { section: 'Team', name: 'tpm_limit', label: 'Tokens a minute', inputMode: 'numeric', placeholder: byDefault },
  {
    section: 'Team',
    name: 'max_concurrent_calls',
    label: 'LLM calls at once',
    hint: 'In each process of the api, 1 to 500',
    inputMode: 'numeric',
    placeholder: byDefault,
  },
  {
    section: 'Team',
    name: 'agent_turns',
    label: 'Calls of known agents (Claude Code, Codex, opencode)',
    options: [
      { value: 'on', label: 'The calls of a prompt are one job' },
      { value: 'off', label: 'As any other calls' },
    ],
  },
  {
    section: 'Team',
    name: 'job_end',
    label: 'A call of a task completes its job',
    options: [
      { value: '', label: 'Only if it asks for that' },
      { value: 'call', label: 'When it succeeds' },
      { value: 'answer', label: 'When it succeeds without tool calls' },
      { value: 'turn', label: 'When no call follows its answer without tool calls for some seconds' },
    ],
  },
  {
    section: 'Team',
    name: 'jobless_calls',
    label: 'Calls without a job (OpenAI interface)',
    options: [
      { value: 'single', label: 'Each is a job of its own' },
      { value: 'refuse', label: 'Refused' },
    ],
  },
  {
    section: 'Team',
    name: 'job_key_from',
    label: 'Task of a call (OpenAI interface)',
    hint: 'In this order, with commas: header:<name>, header:<name>/<key of JSON>, body:user, body:session_id, body:metadata.<key>',
  },
  {
    section: 'Team',
    name: 'payload_retention_days',
    label: 'Days for which texts are kept',
    inputMode: 'numeric',
    placeholder: byDefault,
    hint: '0 to 365. 0: they are deleted ten minutes after the end of their call. Empty: the default',
  },
  {
    section: 'Team',
    name: 'metadata',
    label: 'Metadata',
    hint: 'A JSON object, stored with the team and shown to whoever reads it',
    isLong: true,
  },
  {
    section: 'Credits',
    name: 'credit_limit',
    label: 'Credit limit',
    inputMode: 'numeric',
    placeholder: 'unlimited',
    hint: 'A number makes the budget fixed: the balance never falls below 0. Empty: unlimited',
  },
  {
    section: 'Credits',
    name: 'budget_mode',
    label: 'A job costs',
    options: [
      { value: 'job_based', label: 'Its price: one credit, or that of its type' },
      { value: 'consumption_usd', label: 'Its cost in USD times credits per dollar' },
      { value: 'consumption_tokens', label: 'Its tokens divided by tokens per credit' },
    ],
  },
  {
    section: 'Credits',
    name: 'credits_per_dollar',
    label: 'Credits per dollar',
    inputMode: 'decimal',
    placeholder: byDefault,
  },
  {
    section: 'Credits',
    name: 'tokens_per_credit',
    label: 'Tokens per credit',
    inputMode: 'numeric',
    placeholder: byDefault,
  },
  {
    section: 'Credits',
    name: 'low_balance_policy',
    label: 'With a fixed budget and no credit left',
    options: [
      { value: 'allow', label: 'Jobs are created and not charged' },
      { value: 'block', label: 'No job can be created' },
      { value: 'reserve', label: 'Each job reserves its credits; without them none can be created' },
    ],
  },
  {
    section: 'Credits',
    name: 'reserve_credits',
    label: 'Credits that a job of unknown cost reserves',
    inputMode: 'numeric',
    hint: 'Where jobs reserve and cost by consumption, without a budget. Empty: 1',
  },
  {
    section: 'Credits',
    name: 'credit_thresholds',
    label: 'Thresholds of the balance',
    hint: 'With commas, at most 10: the webhook event credits.threshold is sent when the balance falls to one',
  },
  {
    section: 'Credits',
    name: 'job_budget_defaults',
    label: 'Budget of a job by default',
    hint: 'JSON, such as {"max_cost_usd": 0.5, "max_calls": 40, "deadline_seconds": 900}. Empty: none',
    isLong: true,
  },
  {
    section: 'Credits',
    name: 'job_budget_maxima',
    label: 'Highest caps of a job',
    hint: 'JSON with max_cost_usd, max_tokens, max_calls, deadline_seconds. They hold for jobs without a budget too. Empty: none',
    isLong: true,
  },
  {
    section: 'Credits',
    name: 'billing_policy',
    label: 'A job is charged if',
    options: Object.entries(policyLabels).map(([value, label]) => ({ value, label })),
  },
  {
    section: 'Credits',
    name: 'usd_per_credit',
    label: 'USD a credit is sold for',
    inputMode: 'decimal',
    placeholder: byDefault,
    hint: 'For revenue and margins',
  },
  {
    section: 'Credits',
    name: 'auto_refill',
    label: 'Automatic refill',
    options: [
      { value: 'off', label: 'Off' },
      { value: 'on', label: 'On' },
    ],
  },
  {
    section: 'Credits',
    name: 'refill_amount',
    label: 'Credits of a refill',
    inputMode: 'numeric',
    placeholder: 'none',
  },
  {
    section: 'Credits',
    name: 'refill_period',
    label: 'Time between refills',
    options: [
      { value: '', label: 'None' },
      { value: 'daily', label: '24 hours' },
      { value: 'weekly', label: '7 days' },
      { value: 'monthly', label: 'A month' },
    ],
  },
  {
    section: 'Credits',
    name: 'refill_up_to',
    label: 'A refill brings the balance up to',
    inputMode: 'numeric',
    placeholder: 'no bound',
  },
];
