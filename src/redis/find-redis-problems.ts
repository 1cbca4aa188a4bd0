import { Redis } from 'ioredis';
import { type Findings, noFindings } from '../domain/findings.ts';

const timeoutMs = 2_000;
const key = 'job-gateway:start-check';
/** Without a right to delete, the key is gone soon. */
const expiresMs = 5_000;

/** The rights of an ACL user, as `acl setuser` takes them. */
const rights =
  '~* &* +set +get +del +incrby +pexpire +pttl +expire +xadd +xrange +publish +subscribe +unsubscribe +eval +evalsha +info +ping +client +select';

/** Each command that the gateway sends, without an effect on what it stores. */
const commands: string[][] = [
  ['set', key, '1', 'px', String(expiresMs)],
  ['get', key],
  ['incrby', key, '1'],
  ['pexpire', key, String(expiresMs)],
  ['pttl', key],
  ['expire', key, '5'],
  ['del', key],
  ['xadd', `${key}:stream`, '*', 'a', '1'],
  ['xrange', `${key}:stream`, '-', '+'],
  ['del', `${key}:stream`],
  ['publish', key, '1'],
  ['subscribe', key],
  ['unsubscribe', key],
  ['eval', 'return 1', '0'],
];

const oldest = [6, 2];

/** `redis_version:7.4.1` and the like, by their names. */
const readInfo = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name, value]) => [name!, value!]));

const isOlder = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < oldest[0]! || (major === oldest[0] && minor < oldest[1]!);
};

/** What the server says of itself. */
export function judgeServer(info: Record<string, string>): Findings {
  const { redis_mode: mode, redis_version: version = '', maxmemory_policy: policy, maxmemory } = info;
  const found = noFindings();
  if (mode === 'cluster') found.problems.push('it runs in cluster mode: one server without cluster mode is needed');
  if (mode === 'sentinel') found.problems.push('it is a Sentinel: the address of the server itself is needed');
  if (version && isOlder(version)) found.problems.push(`version ${version} is too old: 6.2 or newer is needed`);
  if (info.role === 'slave') found.warnings.push('it is a replica, which takes no writes');
  if (Number(maxmemory) > 0 && policy && policy !== 'noeviction')
    found.warnings.push(
      `with maxmemory-policy ${policy} it drops limits and pieces of running streams when it is full: set noeviction`,
    );
  return found;
}

/** A refusal of credentials: everything else may pass. */
const refusesCredentials = (message: string): boolean =>
  /^(NOAUTH|WRONGPASS|ERR.*AUTH|ERR invalid password)/.test(message);

/** Sends every command, each on its own, so that all that are not permitted are named at once. */
async function findForbidden(redis: Redis): Promise<string[]> {
  const answers = await Promise.all(
    commands.map(async ([name, ...args]) => {
      const answer = await redis.call(name!, ...args).catch((error: Error) => error);
      return answer instanceof Error && answer.message.startsWith('NOPERM') ? name! : [];
    }),
  );
  return answers.flat();
}

/** Connects once more for a moment, because the connections of the process hide what the server refuses, and try again. */
const connectOnce = (url: string): Redis =>
  new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    connectionName: 'job-gateway-start',
  });

/** The server's clock, between two times of this process; all are milliseconds since the epoch. */
export async function readRedisClock(url: string): Promise<{ before: number; after: number; stated: number }> {
  const redis = connectOnce(url);
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const before = Date.now();
    const [seconds, microseconds] = await redis.time();
    return { before, after: Date.now(), stated: Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000) };
  } finally {
    redis.disconnect();
  }
}

export async function findRedisProblems(url: string): Promise<Findings> {
  const { username, host } = url.startsWith('/') ? { username: '', host: url } : new URL(url);
  // A server with TLS closes a connection without it, and the reverse: so it is named.
  const at = `Redis at ${host} (REDIS_URL, TLS is ${url.startsWith('rediss:') ? 'on' : 'off'})`;
  const redis = connectOnce(url);
  let failure: Error | undefined;
  redis.on('error', (error) => {
    failure ??= error;
  });
  const found = noFindings();
  try {
    await redis.connect();
    const forbidden = await findForbidden(redis);
    if (forbidden.length > 0)
      found.problems.push(
        `the user "${username || 'default'}" may not ${[...new Set(forbidden)].join(', ')}: it needs ${rights}`,
      );
    const info = await redis.info().catch(() => '');
    const { problems, warnings } = judgeServer(readInfo(info));
    found.problems.push(...problems);
    found.warnings.push(...warnings);
  } catch (error) {
    const { message } = failure ?? (error as Error);
    if (refusesCredentials(message)) found.problems.push(`it refuses the credentials: ${message.split(',')[0]}`);
    else found.warnings.push(`no connection: ${message || (failure as { code?: string }).code}`);
  } finally {
    redis.disconnect();
  }
  const named = (texts: string[]) => texts.map((text) => `${at}: ${text}`);
  return { problems: named(found.problems), warnings: named(found.warnings) };
}
