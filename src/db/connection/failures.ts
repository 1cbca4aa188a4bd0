import { CannotStart, ReportTimedOut, Unavailable } from '../../errors.ts';

/** SQLSTATE classes of an outage: connection, invalid credentials, resources, operator intervention. */
const outageClasses = ['08', '28', '53', '57'];
/**
 * A lock timeout; a transaction that exceeded the server's time limits and was ended with its connection; a missing database or
 * table, as while it is restored or not yet migrated.
 */
const outages = new Set(['55P03', '25P03', '25P04', '3D000', '42P01']);
const retryable = new Set(['40001', '40P01']);
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  // This process has no descriptor or port left for a connection.
  'EMFILE',
  'ENFILE',
  'EADDRNOTAVAIL',
]);
const outageMessages = /timeout|Connection terminated|connection error|Client has encountered|Client was closed/i;

const codeOf = (error: unknown): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

/** Where the database of a URL is, without its password. */
export const describeDatabase = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname} (DATABASE_URL)`;
};

/** The first connection of a process has failed. Two refused addresses of one name are an error without a message. */
export const cannotConnect = (url: string, error: unknown): CannotStart =>
  new CannotStart(`${describeDatabase(url)}: ${(error as Error).message || codeOf(error)}`, { cause: error });

/** Two transactions were in conflict; the same statement succeeds if it is sent again. */
export const isConflict = (error: unknown): boolean => retryable.has(codeOf(error));

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** A referenced row does not exist, or a deleted row is still referenced. */
export const isForeignKeyViolation = (error: unknown): boolean => codeOf(error) === '23503';

/** A row breaks the constraint of this name, or a trigger refuses it by that name. */
export const breaks = (error: unknown, constraint: string): boolean =>
  (error as { constraint?: unknown }).constraint === constraint;

/** After a failover the server is, or has become, a standby, which takes no writes and has no unlogged tables. */
export const isOnStandby = (error: unknown): boolean =>
  codeOf(error) === '25006' || (codeOf(error) === '0A000' && /during recovery/.test((error as Error).message));

/** What the database adds to a refusal of its own. */
export const detailOf = (error: unknown): string | undefined => (error as { detail?: string }).detail;

/**
 * The server or its host has answered with an error, such as a refused connection. Without a code there was no response in time, or
 * the connection was lost.
 */
export const isAnswered = (error: unknown): boolean => {
  const code = codeOf(error instanceof Unavailable ? error.cause : error);
  return code !== '' && code !== 'ETIMEDOUT';
};

const isOutage = (error: unknown): boolean => {
  const code = codeOf(error);
  if (networkCodes.has(code) || retryable.has(code) || outages.has(code) || isOnStandby(error)) return true;
  if (code.length === 5 && outageClasses.includes(code.slice(0, 2))) return true;
  return code === '' && error instanceof Error && outageMessages.test(error.message);
};

/** The statement reached its `statement_timeout`, or no connection of the pool was free in time. */
const isTimeout = (error: unknown): boolean =>
  codeOf(error) === '57014' ||
  (error instanceof Error && /timeout exceeded when trying to connect/.test(error.message));

/** The outage as `asDatabaseOutage` has it, for a read of many rows: a timeout of one is no evidence of an outage. */
export const asReportOutage = (error: unknown): unknown =>
  isTimeout(error) ? new ReportTimedOut({ cause: error }) : asDatabaseOutage(error);

/** Converts errors that mean that PostgreSQL is unavailable into `Unavailable`, and returns every other error as it is. */
export const asDatabaseOutage = (error: unknown): unknown =>
  isOutage(error) ? new Unavailable('database', { cause: error }) : error;
