import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { type AdminRole, adminRoles } from '../domain/admin-roles.ts';
import { isPublicPath } from '../domain/formats/public-path.ts';
import { dayMs } from '../domain/time/buckets.ts';
import { looksRandom } from './looks-random.ts';

export const flag = z
  .enum(['true', 'false', 'on', 'off', '1', '0'])
  .transform((value) => ['true', 'on', '1'].includes(value));

const largest = Number.MAX_SAFE_INTEGER;

/** One message for all that is no such number, which names the whole range. */
export function wholeNumber(min: number, max = largest) {
  const error = max === largest ? `a whole number, at least ${min}` : `a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
}
export const count = (fallback: number, max = largest) => wholeNumber(1, max).default(fallback);

export function seconds({ min = 0, isPositive = false, max }: { min?: number; isPositive?: boolean; max: number }) {
  const error = `a number of seconds${isPositive ? ' above 0' : `, at least ${min}`} and at most ${max}`;
  const number = z.coerce.number({ error }).max(max, error);
  return isPositive ? number.positive(error) : number.min(min, error);
}

export const optionalText = z
  .string()
  .optional()
  .transform((value) => value || undefined);

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export const optionalFile = optionalText.refine((file) => !file || isReadable(file), 'a file that can be read');

/** What Express accepts as a trusted proxy: one of these names, an address, or a network like 10.0.0.0/8. */
const isProxy = (text: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) ||
  ipaddr.isValid(text) ||
  // A network of all addresses would include the clients.
  (ipaddr.isValidCIDR(text) && !text.endsWith('/0'));

/**
 * Whose `X-Forwarded-For` is trusted: that of no proxy, of this number of proxies (`on`: one), or of proxies with these addresses.
 * Each proxy appends the address of its client; what precedes the entries of trusted proxies may be forged and is ignored.
 */
export const trustedProxies = z
  .string()
  .transform((text): false | number | string[] => {
    if (['off', 'false'].includes(text)) return false;
    if (['on', 'true'].includes(text)) return 1;
    return /^\d+$/.test(text) ? Number(text) : text.split(',').map((proxy) => proxy.trim());
  })
  .refine((trusted) => !Array.isArray(trusted) || trusted.every(isProxy), 'on, off, a number of hops, or addresses');

/** Temporal refuses names that begin with `__`, and in the name of a deployment `.` and `:`, which separate it from the build id. */
export const deploymentName = optionalText.refine((name) => !name || /^(?!__)[\w-]{1,100}$/.test(name), {
  error: 'at most 100 letters, digits, - and _, not __ at the beginning',
  abort: true,
});

export const buildId = optionalText.refine((id) => !id || /^(?!__)[\w.+-]{1,100}$/.test(id), {
  error: 'at most 100 letters, digits, ., +, - and _, not __ at the beginning',
  abort: true,
});

const isHostName = (text: string): boolean => /^[\w.-]+$/.test(text) || ipaddr.isValid(text);

/** Names, or addresses with or without brackets. The result is in lower case. */
export const hostNames = z
  .string()
  .transform((text) =>
    text
      .toLowerCase()
      .split(',')
      .flatMap((name) => name.trim().replace(/^\[|\]$/g, '') || []),
  )
  .refine((names) => names.every(isHostName), 'names or addresses without a port, separated by commas');

const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text);

/** As browsers write it: `HTTPS://Chat.example.com:443` is `https://chat.example.com`. */
const inOneSpelling = (text: string): string => {
  const url = URL.parse(text);
  return url && url.origin !== 'null' && `${url.origin}/` === url.href && !text.endsWith('/') ? url.origin : text;
};

/** `/gateway`, `/a/b`, or nothing: what can stand in an attribute and in a `Location` as it is. A slash at its end is left out. */
export const publicPath = z
  .string()
  .transform((text) => (text.endsWith('/') ? text.slice(0, -1) : text))
  .refine(isPublicPath, 'a path like /gateway, of letters, digits, -, ., _ and ~');

/** `https://chat.example.com,http://localhost:3000`, or `*` for every origin. */
export const origins = z
  .string()
  .transform((text) => (text ? text.split(',').map((origin) => inOneSpelling(origin.trim())) : []))
  .refine((all) => all.every(isOrigin), 'origins like https://chat.example.com, separated by commas, or *');

const roleOfClaim = /^(owner|admin|user)=(.+)$/;

/** `owner=gateway-owners,admin=gateway-admins`: several values may give the same role. */
export const rolesByClaim = z
  .string()
  .transform((text) => text.split(',').map((one) => roleOfClaim.exec(one.trim())))
  .refine((all) => all.every(Boolean), {
    error: `${adminRoles.join(', ')}, each with = and a value of the claim, separated by commas`,
    abort: true,
  })
  .transform((all) => all.map((one) => ({ role: one![1] as AdminRole, value: one![2]! })));

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Timers of more than 24 days are the business of their users; more than ten years overflow dates and intervals. */
const maxDurationDays = 3_650;
const durationFormat = `a number and one of ms, s, m, h, d, at most ${maxDurationDays}d`;

/** `7d`, `12h`, `500ms`: a number and a unit. */
export const duration = z
  .string()
  .regex(/^\d{1,15}(ms|s|m|h|d)$/, { error: durationFormat, abort: true })
  .transform((text) => Number.parseInt(text, 10) * unitMs[text.replace(/^\d+/, '')]!)
  .refine((ms) => ms <= maxDurationDays * dayMs, durationFormat);

/** How long something may be unused: without any time it would end at once. */
export const idleTime = duration.refine((ms) => ms > 0, `${durationFormat}, and more than 0`);

/** `0s,5s,5m`: each delay follows the previous one. */
export const durations = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(duration).min(1));

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const isPrefix = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128));
  return isIP(address) !== 0 && isPrefix && rest.length === 0;
};

/** `10.0.0.0/8, 2001:db8::/32, 203.0.113.7` */
export const networks = z
  .string()
  .transform((text) => (text ? text.split(',').map((network) => network.trim()) : []))
  .refine((all) => all.every(isNetwork), 'networks like 10.0.0.0/8, 2001:db8::/32');

/** `80,443,1024-65535` */
export const ports = z
  .string()
  .transform((text) => text.split(',').map((one) => /^\s*(\d+)(?:-(\d+))?\s*$/.exec(one)))
  .transform((all) => all.map((one): [number, number] => [Number(one?.[1]), Number(one?.[2] ?? one?.[1])]))
  .refine(
    (all) => all.every(([first, last]) => first >= 1 && first <= last && last <= 65_535),
    'ports and ranges of ports, like 80,443,1024-65535',
  );

const escapingHint = 'with what is special in the password escaped';

/** Decodes user and password too, because a library that fails to decode them prints them in its error. */
function isUrlWith(text: string, protocol: RegExp): boolean {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.password);
    return protocol.test(url.protocol);
  } catch {
    return false;
  }
}

/** Contains a password, so errors never show it. */
export const DatabaseUrl = z
  .string()
  .refine(
    (text) => isUrlWith(text, /^postgres(ql)?:$/) && new URL(text).pathname.length > 1,
    `a URL like postgresql://user:password@host:5432/database, ${escapingHint}`,
  );

/** A URL, or the path of a socket. */
export const RedisUrl = z
  .string()
  .refine(
    (text) => isUrlWith(text, /^rediss?:$/) || text.startsWith('/'),
    `a URL like redis://:password@host:6379, ${escapingHint}`,
  );

/** Other characters cannot be sent as a bearer token. */
export const MasterKey = z
  .string()
  .min(32, { error: 'at least 32 characters', abort: true })
  .regex(/^[\x21-\x7e]+$/, 'visible ASCII characters only')
  .refine(looksRandom, 'a random key, for example of: openssl rand -hex 32');
