import type { BudgetMode } from '../../src/domain/credits.ts';

/** Who appears in the demo, and what they do. */

export interface DemoModel {
  name: string;
  /** The price in USD per million tokens. */
  prompt: number;
  completion: number;
  /** Tokens a second. */
  speed: number;
}

const models = {
  large: { name: 'gpt-4o', prompt: 2.5, completion: 10, speed: 60 },
  largeFallback: { name: 'claude-sonnet-4', prompt: 3, completion: 15, speed: 70 },
  small: { name: 'gpt-4o-mini', prompt: 0.15, completion: 0.6, speed: 110 },
  smallFallback: { name: 'claude-haiku-4-5', prompt: 1, completion: 5, speed: 130 },
} satisfies Record<string, DemoModel>;

export const demoGroups: Record<string, { display_name: string; models: DemoModel[] }> = {
  reasoning: { display_name: 'Reasoning', models: [models.large, models.largeFallback] },
  fast: { display_name: 'Fast', models: [models.small, models.smallFallback] },
};

export const demoAlias = { alias_name: 'house-model', model_name: models.small.name };

export interface DemoStep {
  purpose: string;
  group: keyof typeof demoGroups;
  prompt: string;
  answer: string;
  /** Approximate number of tokens. */
  promptTokens: number;
  completionTokens: number;
}

export interface DemoJobType {
  job_type: string;
  /** Relative frequency among the job types of the team. */
  weight: number;
  steps: DemoStep[];
  /** Why one of its calls fails now and then. */
  error: string;
}

export interface DemoTeam {
  team_id: string;
  team_alias: string;
  organization_id: string;
  budget_mode: BudgetMode;
  /** Null: unlimited; 0: as much as is allocated. */
  credit_limit: 0 | null;
  /** What else is set for the team. */
  settings?: object;
  /** Its keys beside the first one. */
  keys?: { name: string; credit_limit?: number; limit_reset?: string }[];
  /** Credits, by the days before today on which they were allocated. */
  allocations: { daysAgo: number; credits: number; reason: string }[];
  /** The jobs on a working day. */
  jobsADay: number;
  users: string[];
  jobTypes: DemoJobType[];
}

export const demoOrganizations = [
  { organization_id: 'northwind-insurance', name: 'Northwind Insurance' },
  { organization_id: 'juniper-retail', name: 'Juniper Retail' },
];

const step = (
  purpose: string,
  group: keyof typeof demoGroups,
  [prompt, answer]: [string, string],
  [promptTokens, completionTokens]: [number, number],
): DemoStep => ({ purpose, group, prompt, answer, promptTokens, completionTokens });

const claims: DemoJobType[] = [
  {
    job_type: 'claim_summary',
    weight: 5,
    error: 'Upstream error 503',
    steps: [
      step('extract facts', 'fast', ['List the facts of this water damage claim.', 'Date: 3 March. Cause: burst pipe. Rooms: kitchen, hall.'], [2_400, 260]), // biome-ignore format: a table
      step('check cover', 'reasoning', ['Which clauses of the policy apply?', 'Clause 4.2 covers burst pipes; clause 7.1 sets an excess of 250 EUR.'], [3_800, 420]), // biome-ignore format: a table
      step('summary', 'reasoning', ['Sum the claim up for the adjuster.', 'A covered claim of about 3,900 EUR, with no open questions.'], [1_900, 350]), // biome-ignore format: a table
    ],
  },
  {
    job_type: 'damage_assessment',
    weight: 3,
    error: 'No response from the upstream for 120 s',
    steps: [
      step('describe photos', 'reasoning', ['Describe the damage in these photos.', 'Dented left door, scratched mirror, intact frame.'], [5_200, 310]), // biome-ignore format: a table
      step('estimate', 'reasoning', ['Estimate the repair.', 'Between 1,400 and 1,800 EUR: new door panel, paint, mirror.'], [1_700, 280]), // biome-ignore format: a table
    ],
  },
];

const underwriting: DemoJobType[] = [
  {
    job_type: 'risk_report',
    weight: 1,
    error: 'The response is not complete',
    steps: [
      step('read application', 'fast', ['What does the applicant want to insure?', 'A bakery with two ovens and a delivery van.'], [3_100, 220]), // biome-ignore format: a table
      step('find risks', 'reasoning', ['Name the risks, the largest first.', 'Fire (ovens), business interruption, motor.'], [4_400, 640]), // biome-ignore format: a table
      step('compare', 'reasoning', ['Compare with the portfolio.', 'Slightly above the average of 214 bakeries.'], [6_300, 510]), // biome-ignore format: a table
      step('report', 'reasoning', ['Write the report.', 'Recommended with a sprinkler clause; premium class C.'], [2_900, 900]), // biome-ignore format: a table
    ],
  },
];

const support: DemoJobType[] = [
  {
    job_type: 'ticket_reply',
    weight: 6,
    error: 'Upstream error 429',
    steps: [
      step('classify', 'fast', ['What is this ticket about?', 'A late delivery; the customer is calm.'], [700, 30]),
      step(
        'reply',
        'fast',
        ['Write a reply.', 'We are sorry for the delay. Your parcel arrives tomorrow.'],
        [1_300, 180],
      ),
    ],
  },
  {
    job_type: 'product_description',
    weight: 2,
    error: 'Upstream error 500',
    steps: [step('write', 'fast', ['Describe a walnut desk in two sentences.', 'A desk of solid walnut. Its drawer closes softly.'], [420, 130])], // biome-ignore format: a table
  },
];

/** The price list of today: the jobs of the past cost one credit each. */
export const demoPrices = {
  damage_assessment: { credits: 2, billing_policy: 'superseded_ok' },
  risk_report: { budget: { max_cost_usd: 0.5, max_calls: 20 } },
};

export const demoTeams: DemoTeam[] = [
  {
    team_id: 'northwind-claims',
    team_alias: 'Claims',
    organization_id: 'northwind-insurance',
    budget_mode: 'job_based',
    credit_limit: 0,
    allocations: [
      { daysAgo: 60, credits: 150, reason: 'Contract, first month' },
      { daysAgo: 30, credits: 60, reason: 'Contract, second month' },
      { daysAgo: 16, credits: 70, reason: 'Contract, second half of the month' },
    ],
    settings: {
      credit_thresholds: [20, 5],
      usd_per_credit: 0.4,
      job_budget_defaults: { max_calls: 40, deadline_seconds: 86_400 },
    },
    keys: [{ name: 'Portal', credit_limit: 50, limit_reset: 'monthly' }, { name: 'Night batch' }],
    jobsADay: 7,
    users: ['j.doyle', 'm.okafor', 's.lindqvist'],
    jobTypes: claims,
  },
  {
    team_id: 'northwind-underwriting',
    team_alias: 'Underwriting',
    organization_id: 'northwind-insurance',
    budget_mode: 'consumption_tokens',
    credit_limit: 0,
    allocations: [
      { daysAgo: 60, credits: 600, reason: 'Contract' },
      { daysAgo: 30, credits: 600, reason: 'Contract, second month' },
    ],
    jobsADay: 4,
    users: ['a.becker', 'r.silva'],
    jobTypes: underwriting,
  },
  {
    team_id: 'juniper-support',
    team_alias: 'Customer support',
    organization_id: 'juniper-retail',
    budget_mode: 'consumption_usd',
    credit_limit: null,
    allocations: [{ daysAgo: 60, credits: 400, reason: 'Pilot' }],
    jobsADay: 9,
    users: ['queue-eu', 'queue-us'],
    jobTypes: support,
  },
];
