import { pino } from 'pino';

export type Log = ReturnType<typeof createLog>;

/**
 * JSON lines on standard output. What a client said, what a model said and every credential stay out by not being
 * passed in; the redaction is the second fence, for objects that come from libraries.
 */
export const createLog = (level: string, service: string) =>
  pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
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
  });
