import { writeSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/**
 * No more of an error than this: drivers attach what they were asked to do, which is a password for Redis and a request's
 * values for PostgreSQL.
 */
function tellError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, ...(code !== undefined && { code }), stack };
}

/**
 * A line that cannot be written, as on a full disk, is lost. pino's own destination would keep it, end the process, and block it
 * at the end until there is room.
 */
const standardOutput: DestinationStream = {
  write(line) {
    try {
      writeSync(1, line);
    } catch {
      // There is nowhere to say it.
    }
  },
};

export type Log = ReturnType<typeof createLog>;

/**
 * JSON lines, on standard output by default. What clients and models say, and every credential, stay out because they are not
 * passed in; the redaction is the second fence, for objects that come from libraries.
 */
export const createLog = (level: string, service: string, to: DestinationStream = standardOutput) =>
  pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Temporal's SDK calls it `error`.
      serializers: { err: tellError, error: tellError },
      redact: {
        paths: [
          'authorization',
          'headers',
          'body',
          'password',
          'virtual_key',
          'access_token',
          '*.authorization',
          '*.headers',
          '*.body',
          '*.password',
        ],
        censor: '[redacted]',
      },
    },
    to,
  );
