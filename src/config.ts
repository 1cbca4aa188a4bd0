import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import {
  buildId,
  count,
  DatabaseUrl,
  deploymentName,
  duration,
  durations,
  flag,
  hostNames,
  idleTime,
  MasterKey,
  networks,
  optionalFile,
  optionalText,
  origins,
  ports,
  publicPath,
  publicUrl,
  RedisUrl,
  rolesByClaim,
  seconds,
  trustedProxies,
  wholeNumber,
} from './config/formats.ts';
import { readSettings } from './config/read-settings.ts';
import { trimEnd } from './domain/formats/trim-end.ts';
import { maxTurnSeconds } from './domain/job-end.ts';
import { maxConcurrentCalls } from './domain/team.ts';
import { defaultJobVersion, newestJobVersion } from './domain/workflow-version.ts';

const mebibyte = 1_048_576;
/** A hundred years: PostgreSQL has no dates so many days ago as an integer can name. */
const maxDays = 36_500;

const Settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8000),
  MASTER_KEY: MasterKey,
  /** What was made with this one is still valid. */
  MASTER_KEY_PREVIOUS: MasterKey.optional(),
  DATABASE_URL: DatabaseUrl,
  DATABASE_POOL_SIZE: count(20),
  REDIS_URL: RedisUrl,
  TEMPORAL_ADDRESS: z.string().regex(/^[^\s/]+$/, 'a host and a port, like temporal:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('llm-jobs'),
  TEMPORAL_API_KEY: optionalText,
  /** The file is read again when it changes. */
  TEMPORAL_API_KEY_FILE: optionalText,
  TEMPORAL_TLS_CA: optionalFile,
  TEMPORAL_TLS_CERT: optionalFile,
  TEMPORAL_TLS_KEY: optionalFile,
  TEMPORAL_TLS_SERVER_NAME: optionalText,
  /** The console links to the workflows at this address. */
  TEMPORAL_UI_URL: z.url({ protocol: /^https?$/, error: 'an http or https URL' }).optional(),
  /** The address before `/chat/completions`; people also give the whole of it. */
  UPSTREAM_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'an http or https URL' })
    .transform((url) => trimEnd(trimEnd(url, '/').replace(/\/chat\/completions$/, ''), '/')),
  UPSTREAM_MASTER_KEY: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'visible ASCII characters only')
    .default(''),
  UPSTREAM_TEAM_KEYS: z.enum(['litellm', 'off']).default('litellm'),
  UPSTREAM_USD_PER_CREDIT: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,12})?$/, 'a decimal number of dollars, like 0.10')
    .default('0.10'),
  /** What a credit brings in. The ledger keeps it with each charge. */
  USD_PER_CREDIT: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,12})?$/, 'a decimal number of dollars, like 0.25')
    .optional(),
  /** A timer of more than 24 days would end at once: this is far below. */
  UPSTREAM_TIMEOUT_SECONDS: seconds({ isPositive: true, max: 86_400 }).default(600),
  UPSTREAM_MAX_SECONDS: seconds({ isPositive: true, max: 86_400 }).default(3_600),
  RATE_LIMIT_READS_PER_MINUTE: count(100),
  RATE_LIMIT_WRITES_PER_MINUTE: count(30),
  /** The limit of one session by cookie: an open console reads more often than a program. */
  RATE_LIMIT_SESSION_READS_PER_MINUTE: count(600),
  RATE_LIMIT_CALLS_PER_MINUTE: count(60),
  RATE_LIMIT_TOKENS_PER_MINUTE: count(60_000),
  RATE_LIMIT_REQUESTS_PER_MINUTE: wholeNumber(1).optional(),
  /** Calls that one team may have under way in an api. A team may have a number of its own. */
  MAX_CONCURRENT_CALLS: count(100, maxConcurrentCalls),
  /** Bytes of requests and answers that an api holds at once, a quarter of them for one holder: `src/holders`. */
  HELD_BYTES: count(256 * mebibyte),
  /** Bytes of requests that a worker holds at once, a quarter of them for one team. */
  WORKER_HELD_BYTES: count(512 * mebibyte),
  /** Requests of one holder that may wait for the end of a job, in an api. */
  MAX_WAITING_JOB_ENDS: count(20),
  /** Bytes of the body of a chat completion. Not more than what a holder may have of `HELD_BYTES`. */
  CALL_BODY_LIMIT: wholeNumber(1_024, 128 * mebibyte).default(32 * mebibyte),
  MAX_CONNECTIONS: count(10_000),
  /** Default: a tenth of `MAX_CONNECTIONS`. */
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1).optional(),
  /** With less than 10, the passwords in a stolen table would be cheap to guess. Each step doubles the work. */
  BCRYPT_COST: wholeNumber(10, 16).default(12),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: z
    .union([z.literal('loopback'), flag], { error: 'true, false or loopback' })
    .default(false),
  WEBHOOK_DENIED_NETWORKS: networks.prefault(''),
  WEBHOOK_PORTS: ports.optional(),
  MAX_WEBHOOKS_PER_TEAM: count(10),
  /** Deliveries of one team that are begun in a minute. The others wait in the outbox. */
  WEBHOOK_DELIVERIES_PER_MINUTE: count(600),
  WEBHOOK_RETRY_DELAYS: durations.prefault('0s,5s,5m,30m,2h,5h,10h,10h'),
  JOB_IDLE_TIMEOUT: idleTime.prefault('7d'),
  TASK_JOB_IDLE: idleTime.prefault('30m'),
  /** A turn of an agent is over when no call has followed the last one for so long. */
  TURN_SETTLE_SECONDS: count(10, maxTurnSeconds),
  PAYLOAD_RETENTION_DAYS: count(30, maxDays),
  /** A longer request or answer is replaced by its length and its SHA-256. */
  PAYLOAD_KEEP_BYTES: count(256 * 1_024),
  /** Bytes of requests, answers and metadata that one team may store in a day. */
  STORED_BYTES_PER_DAY: count(1_024 * mebibyte),
  /** Ended jobs are deleted after so many days. Default: never. */
  JOB_RETENTION_DAYS: wholeNumber(1, maxDays).optional(),
  /** The addresses to which a request may refer the upstream for images, sounds and files. */
  MEDIA_URLS: z.enum(['public', 'data', 'any']).default('public'),
  /** A session by cookie ends when no request has used it for so long. */
  CONSOLE_IDLE_TIMEOUT: idleTime.prefault('60m'),
  /** Whether admins may read the requests and responses of calls, which is audited. */
  ADMIN_READS_PAYLOADS: flag.default(true),
  /** Whether pages of teams, and their figures over time, have what calls cost at the providers. Decision 138. */
  SHOW_COST_TO_TEAMS: flag.default(false),
  /** Whom a team asks, such as for credits: an address or a URL, shown to teams. */
  SUPPORT_CONTACT: optionalText,
  /** Who may create the first owner. Default: `open` on a loopback address, else `master-key`. */
  SETUP: z.enum(['open', 'master-key', 'off']).optional(),
  COMMON_PASSWORDS: z.enum(['refused', 'allowed']).optional(),
  /** Admin users may sign in at this issuer of OpenID Connect. */
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'an https URL', abort: true })
    .refine((url) => url.startsWith('https:') || isLoopback(new URL(url).hostname), {
      error: 'an https URL',
      abort: true,
    })
    .optional(),
  OIDC_CLIENT_ID: optionalText,
  OIDC_CLIENT_SECRET: optionalText,
  OIDC_SCOPE: z
    .string()
    .regex(/(^| )openid( |$)/, 'names separated by blanks, with openid')
    .default('openid email profile'),
  /** The claim whose values give a role. */
  OIDC_ROLE_CLAIM: z.string().default('groups'),
  OIDC_ROLES: rolesByClaim.optional(),
  /** What the page to sign in calls it. */
  OIDC_LABEL: z.string().max(60, 'at most 60 characters').default('single sign-on'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  /** How long requests and calls that are in flight at SIGTERM may take. */
  DRAIN_SECONDS: seconds({ isPositive: true, max: 3_600 }).default(120),
  /** How long an api still accepts connections after SIGTERM: until the load balancer has noticed. */
  LAME_DUCK_SECONDS: seconds({ max: 300 }).default(5),
  /** How long an api keeps an idle connection. The balancer in front has to close it first. */
  KEEP_ALIVE_TIMEOUT: duration.refine((ms) => ms >= 1_000 && ms <= 86_400_000, 'between 1s and 1d').prefault('65s'),
  /** The base URL of an OTLP receiver, which gets traces. Absent: there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'an http or https URL' }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: optionalText,
  OTEL_EXPORTER_OTLP_PROTOCOL: optionalText,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: optionalText,
  OTEL_SDK_DISABLED: optionalText.transform((text) => text?.toLowerCase() === 'true'),
  OTEL_TRACES_EXPORTER: optionalText,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Names that requests may have as `Host`, besides those that `src/http/served-hosts.ts` always serves. */
  ALLOWED_HOSTS: hostNames.prefault(''),
  /** Origins whose pages may use the service from a browser. */
  CORS_ORIGINS: origins.prefault(''),
  TRUST_PROXY: trustedProxies.prefault('off'),
  /** The address at which people reach the service, for links that leave it. Default: links are paths. */
  PUBLIC_URL: publicUrl.optional(),
  /** The path that a proxy in front of the service removes. */
  PUBLIC_PATH: publicPath.prefault(''),
  WORKFLOW_BUNDLE: optionalText,
  /** The version of Temporal's Worker Deployments: both settings or neither (decision 47). */
  WORKER_DEPLOYMENT: deploymentName,
  WORKER_BUILD_ID: buildId,
  JOB_VERSION: wholeNumber(1, newestJobVersion).default(defaultJobVersion),
  /** Optimisations, each a page of `docs/optimisations`. */
  SPECULATIVE_START: flag.default(true),
});

/** The settings of where api and worker listen. `npm start` reads them before it starts them. */
export const ListeningSettings = Settings.pick({ HOST: true, PORT: true, METRICS_PORT: true });

/** Those that an environment has, whatever it lacks: `npm start` checks them before it makes anything. */
export const GivenSettings = Settings.partial();

/** How a process ends. */
export const DrainSettings = Settings.pick({ DRAIN_SECONDS: true, LAME_DUCK_SECONDS: true });

/** The settings of `db/migrate.ts`. */
export const MigrationSettings = z.object({ DATABASE_URL: DatabaseUrl, DATABASE_SERVICE_URL: DatabaseUrl.optional() });

/** The settings of `replay.ts`. */
export const ReplaySettings = Settings.pick({
  TEMPORAL_ADDRESS: true,
  TEMPORAL_NAMESPACE: true,
  TEMPORAL_TASK_QUEUE: true,
  TEMPORAL_API_KEY: true,
  TEMPORAL_API_KEY_FILE: true,
  TEMPORAL_TLS_CA: true,
  TEMPORAL_TLS_CERT: true,
  TEMPORAL_TLS_KEY: true,
  TEMPORAL_TLS_SERVER_NAME: true,
  WORKFLOW_BUNDLE: true,
});

/** The settings of `rekey.ts`. */
export const RekeySettings = Settings.pick({ DATABASE_URL: true, MASTER_KEY: true, MASTER_KEY_PREVIOUS: true });

/** The settings of `reset-owner.ts`. */
export const OwnerSettings = Settings.pick({ DATABASE_URL: true, BCRYPT_COST: true });

/** All settings, parsed, with durations in milliseconds. `docs/settings.md` lists them; `spec 13.3` names those of the contract. */
export type Config = z.output<typeof Complete>;

/** Settings that must be set together: with only one of them the process does not start. */
const pairs = [
  ['TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_KEY'],
  ['WORKER_DEPLOYMENT', 'WORKER_BUILD_ID'],
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  ['OIDC_ISSUER', 'OIDC_ROLES'],
] as const;

/** What OpenTelemetry defines and this service does not have, where traces are on. Elsewhere the variables may be those of other programs. */
const tracingValues = {
  OTEL_EXPORTER_OTLP_PROTOCOL: ['http/protobuf'],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ['http/protobuf'],
  OTEL_TRACES_EXPORTER: ['otlp', 'none'],
} as const;

const Consistent = Settings.superRefine((one, context) => {
  for (const [name, values] of Object.entries(one.OTEL_EXPORTER_OTLP_ENDPOINT ? tracingValues : {})) {
    const given = one[name as keyof typeof tracingValues];
    if (given !== undefined && !(values as readonly string[]).includes(given))
      context.addIssue({ code: 'custom', path: [name], message: `one of ${values.join(', ')}` });
  }
  for (const [first, second] of pairs) {
    if (!one[first] === !one[second]) continue;
    const [given, missing] = one[first] ? [first, second] : [second, first];
    context.addIssue({ code: 'custom', path: [given], message: `has to be set together with ${missing}` });
  }
});

/** Whether only programs on the same machine can connect to `host`: a name, or an address, IPv6 without brackets. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}

const minRequestsPerMinute = 1_200;

/** The default is at least what the other limits allow. */
const requestsPerMinute = (one: z.output<typeof Settings>): number =>
  Math.max(
    minRequestsPerMinute,
    one.RATE_LIMIT_READS_PER_MINUTE,
    one.RATE_LIMIT_SESSION_READS_PER_MINUTE,
    one.RATE_LIMIT_WRITES_PER_MINUTE,
    one.RATE_LIMIT_CALLS_PER_MINUTE,
  );

type PortRange = [first: number, last: number];

const defaultWebhookPorts: PortRange[] = [
  [80, 80],
  [443, 443],
  [1_024, 65_535],
];
const allPorts: PortRange[] = [[1, 65_535]];

/** Adds the defaults that depend on other settings. */
const Complete = Consistent.transform((one) => ({
  ...one,
  SETUP: one.SETUP ?? (isLoopback(one.HOST) ? ('open' as const) : ('master-key' as const)),
  COMMON_PASSWORDS: one.COMMON_PASSWORDS ?? (isLoopback(one.HOST) ? ('allowed' as const) : ('refused' as const)),
  RATE_LIMIT_REQUESTS_PER_MINUTE: one.RATE_LIMIT_REQUESTS_PER_MINUTE ?? requestsPerMinute(one),
  MAX_CONNECTIONS_PER_ADDRESS: one.MAX_CONNECTIONS_PER_ADDRESS ?? Math.ceil(one.MAX_CONNECTIONS / 10),
  WEBHOOK_PORTS: one.WEBHOOK_PORTS ?? (one.WEBHOOK_ALLOW_PRIVATE_NETWORKS === true ? allPorts : defaultWebhookPorts),
}));

export const loadConfig = (environment: NodeJS.ProcessEnv): Config => readSettings(Complete, environment);

/** What follows SIGTERM, in milliseconds: how long an api still accepts connections, and then how long what is in flight may take. */
export const drainTimes = (config: z.output<typeof DrainSettings>) => ({
  lameDuckMs: config.LAME_DUCK_SECONDS * 1_000,
  drainMs: config.DRAIN_SECONDS * 1_000,
});

/** Which receivers webhooks may have. The api checks that when one is registered, and the worker at each connection. */
export const receiverPolicy = (config: Config) => ({
  allowPrivateNetworks: config.WEBHOOK_ALLOW_PRIVATE_NETWORKS,
  deniedNetworks: config.WEBHOOK_DENIED_NETWORKS,
  ports: config.WEBHOOK_PORTS,
});
