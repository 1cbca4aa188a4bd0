import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** `{n}` in a path, header or body is the number of the request, `{hex}` the next one in hexadecimal. */
export interface FloodRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Base64, instead of `body`. */
  packed?: string;
}

/** A flood, limited in number and in time. */
export interface Flood {
  url: string;
  /** Sent in turn. */
  requests: FloodRequest[];
  atOnce: number;
  /** Another loopback address, so that it is another client. */
  from?: string;
  /** The most that is sent in a minute, at equal distances. */
  perMinute?: number;
  count?: number;
  seconds: number;
  keepAlive?: boolean;
  /** The client disconnects this long after it has sent a request. */
  abortAfterMs?: number;
}

export interface FloodOutcome {
  sent: number;
  /** By status; 0: no answer. */
  statuses: Record<number, number>;
}

export interface RunningFlood {
  /** Resolves when all requests are answered. */
  ended: Promise<FloodOutcome>;
  /** Ends it now. */
  stop(): Promise<FloodOutcome>;
}

const program = fileURLToPath(new URL('flood-program.ts', import.meta.url));

/** The line that the program prints when its first requests are sent. */
export const startedLine = 'started';

/** Runs in a process of its own, so that it does not slow the measurement. Resolves when its first requests are sent. */
export async function startFlood(flood: Flood): Promise<RunningFlood> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const begun = once(child.stdout, 'data');
  const ended = text(child.stdout).then((printed) => JSON.parse(printed.replace(startedLine, '')) as FloodOutcome);
  child.stdin.end(JSON.stringify(flood));
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the flood ended with ${code} before it began`);
  });
  await Promise.race([begun, failed]);
  failed.catch(() => undefined);
  return {
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
