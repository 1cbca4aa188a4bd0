import { z } from 'zod';
import { namedEnum } from '../../contracts/fields.ts';
import { budgetCaps } from '../../domain/job-budget.ts';
import { type ErrorCode, failuresOfCalls, invalidCodes, type RefusalCode, refusals } from '../../errors.ts';
import type { Surface } from '../surface.ts';

const description = `A multi-tenant gateway in front of large language models that bills outcomes: a job is as many LLM calls as it
takes, and costs one credit when it completes without a failed call.

An admin creates an organization, a model group and a team, whose answer shows its virtual key. With that key the team
creates a job, makes calls in it and completes it; \`create-and-call\` does all three for a job of one call. An admin has the
platform key, or the access token of an admin user.

Every error has a \`detail\`, a sentence, or for 422 a list of what is wrong and where, and a \`code\` for programs. An unknown path is a 404; a method
that a path does not have is a 405 with \`Allow\`; a \`Host\` that the installation does not serve is a 421. Input that
is not HTTP is a 400, 408 or 431 in the same form, and ends the connection.

A body has at most 1 MiB, that of an LLM call 10 MiB, and not more than 100,000 keys and values.

Where the installation or the team has no other limits, the endpoints of organizations and teams take 100 GET and 30 other
requests a minute from each credential, those of LLM calls 60 requests and 60,000 tokens a minute from each team. The
\`X-RateLimit-*\` headers report what remains.`;

const tags = {
  Organizations: 'The tenants. Each has teams.',
  Teams: 'Teams, with their keys, settings and model groups.',
  Credits: 'Balances, the ledger, and conversion rates.',
  Prices: 'What jobs cost and when they are charged, by their type.',
  Usage: 'Sums over months, days and hours: jobs, calls, tokens, costs, credits and margins.',
  Operation: 'What runs now, and what needs attention.',
  Search: 'What an id, a reference or a name belongs to.',
  'LLM calls': 'Calls within a job.',
  'Single-call jobs': 'A job and its one call, in one request.',
  Jobs: 'A job from its creation to its end, what it cost, and lists of jobs.',
  Models: 'The names that teams may request, and the concrete models behind them.',
  Playground: 'Calls with which an admin tries out models and prompts.',
  'Admin users': 'The people who manage the platform, their sessions, and the audit log.',
  Session: 'Signing in to the console, and the changes that its pages receive.',
  Webhooks: 'Receivers of the events of jobs, and the deliveries to them.',
  Probes: 'Whether the service works, and its metrics.',
  Documentation: 'This document, and a page that shows it.',
};

const ValidationError = z
  .object({
    loc: z
      .array(z.union([z.string(), z.int()]))
      .describe(
        'Where the problem is: `body`, `path`, `query` or `header`, then the names of fields and indexes in arrays',
      ),
    msg: z.string().describe('What the problem is, for people. Its wording may change'),
    type: z.string().describe('Kind of the problem, for programs: `missing`, `string_type`, `uuid_parsing` and others'),
  })
  .meta({ id: 'ValidationError' });

/** How a sign-in by OpenID Connect ends, which is a page and no answer of the interface. */
export const codesOfOidc = [
  'oidc_off',
  'oidc_failed',
  'oidc_denied',
  'oidc_no_role',
  'oidc_no_email',
  'oidc_email_taken',
  'oidc_unavailable',
] as const satisfies RefusalCode[];

/** Under `/api` a failed call is `call_failed`, and a model that may not be called has codes of its own. */
const codesElsewhere: readonly ErrorCode[] = [
  ...failuresOfCalls,
  ...codesOfOidc,
  'model_not_found',
  'job_required',
  'thread_not_found',
  'thread_field_not_allowed',
  'response_not_found',
  'response_in_progress',
  'response_not_in_background',
  'previous_response_not_ready',
  'item_not_found',
];
const all = [...(Object.keys(refusals) as RefusalCode[]), ...invalidCodes];

/** `code` of an error. A test compares it with the refusals of the routes. */
const Code = z
  .enum(all.filter((code) => !codesElsewhere.includes(code)))
  .meta({ id: 'ErrorCode' })
  .describe('Why, for programs. A code keeps its meaning; new ones may be added: treat an unknown one by its status');

const figure = (description: string) => z.number().optional().describe(`${description}. Only of a cap that refuses`);
/** What the refusals of a budget have. `spec 23.9` */
const figures = {
  cap: namedEnum('BudgetCap', budgetCaps).optional().describe('The cap that refuses a call'),
  limit: figure('What the cap permits, in its unit'),
  spent: figure('What the job has spent'),
  held: figure('What its calls under way have reserved'),
  needed: figure('The least that the call has to reserve'),
};

/** `spec 10.6`. A refusal of the caller, of the form of the request or of its time is not the result of the operation; nor is one of a budget, which may be changed (`spec 23.9`). */
const storedStatuses: ReadonlySet<number> = new Set([200, 202, 400, 404, 409, 500]);

/** The routes under `/api`, the probes and the documentation. Errors have the form of FastAPI, with a code: `{"detail": …, "code": …}` (`spec 1.3`). */
export const apiSurface: Surface = {
  prefix: '/api/',
  errorStatus: ({ status }) => status,
  errorBody: ({ detail, code, figures }) => ({ detail, code, ...figures }),
  errorHeaders: ({ status }): Record<string, string> => (status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
  isStored: ({ status, code }) => storedStatuses.has(status) && code !== 'job_deadline_exceeded',
  storedErrorHeaders: {},
  docs: {
    description,
    tags,
    errorSchemas: {
      refused: z
        .object({
          detail: z.string().describe('Why the request was refused or failed, for people'),
          code: Code,
          ...figures,
        })
        .meta({ id: 'Error' }),
      invalid: z
        .object({
          detail: z.array(ValidationError).describe('Every problem that was found in the request'),
          code: Code,
        })
        .meta({ id: 'HTTPValidationError' }),
    },
    invalidExample: [{ loc: ['body', 'team_id'], msg: 'Field required', type: 'missing' }],
  },
};
