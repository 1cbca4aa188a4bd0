import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { type DestinationStream, pino } from 'pino';
import { partsOfTrace, type TraceContext } from './domain/trace-context.ts';
import { version } from './version.ts';

/**
 * Only these fields of an error are logged. Drivers attach the command that failed, which contains the password of Redis or the
 * values of a query.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, ...(code !== undefined && { code }), stack };
}

/**
 * A line that cannot be written, as on a full disk, is dropped. pino's own destination would buffer it, end the process, and then
 * block the exit until there is space.
 */
const standardOutput: DestinationStream = {
  write(line) {
    try {
      writeSync(1, line);
    } catch {
      // There is no other place to report it.
    }
  },
};

/** One process of one machine: in a container the process id is always 1, and the name of the host that of the container. */
export const instance = `${hostname()}:${process.pid}`;

/** What a line about a request, or a call, is found by. `spec 14.9` */
export const requestFields = ({
  requestId,
  traceContext,
}: {
  requestId?: string;
  traceContext?: TraceContext | undefined;
}) => ({
  request_id: requestId,
  ...(traceContext && { trace_id: partsOfTrace(traceContext).traceId }),
});

export type Log = ReturnType<typeof createLog>;

/**
 * Writes JSON lines, by default to standard output. Credentials, requests and answers are not logged because nothing passes them;
 * the redaction is a second protection, for objects of libraries.
 */
export const createLog = (level: string, service: string, to: DestinationStream = standardOutput) =>
  pino(
    {
      level,
      base: { service, version, instance, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // The field is called `error` in the log of Temporal's SDK.
      serializers: { err: serializeError, error: serializeError },
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
