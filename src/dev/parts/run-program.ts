import { type SpawnOptions, spawn } from 'node:child_process';

export type Outcome = { ok: boolean; output: string };

/** Runs a program to its end; what it printed is returned, for the error message or for reading. */
export function runProgram(
  command: string,
  args: string[],
  { input, timeoutMs, ...options }: SpawnOptions & { input?: string; timeoutMs: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: 'pipe', timeout: timeoutMs, killSignal: 'SIGKILL' });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stdin?.on('error', () => undefined).end(input ?? '');
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }));
  });
}
