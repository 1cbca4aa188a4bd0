import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface Measuring {
  url: string;
  key: string;
  teamId: string;
  modelGroup: string;
  /** At least so many jobs, and for at least so long. */
  turns: number;
  seconds: number;
  /** What has no answer then counts with the time until then. */
  maxSeconds: number;
}

/** Durations in milliseconds, in their order. */
export interface Others {
  calls: number[];
  completes: number[];
  lists: number[];
  health: number[];
  /** Requests that did not succeed, by what was answered. */
  failures: Record<string, number>;
}

const program = fileURLToPath(new URL('others-program.ts', import.meta.url));

/** In a process of its own: what the test does does not slow the measurement. */
export async function measureOthers(measuring: Measuring): Promise<Others> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const printed = text(child.stdout);
  child.stdin.end(JSON.stringify(measuring));
  return JSON.parse(await printed) as Others;
}
