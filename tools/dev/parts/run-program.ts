import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

export type Outcome = { ok: boolean; output: string };

const running = new Set<ChildProcess>();

/** Runs a program to its end and returns its output, for the error message or for reading. */
export function runProgram(
  command: string,
  args: string[],
  { input, timeoutMs, ...options }: SpawnOptions & { input?: string; timeoutMs: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    // In a process group of its own, because a build that is given up has child processes.
    const child = spawn(command, args, { ...options, stdio: 'pipe', detached: true });
    const timer = setTimeout(() => endGroup(child), timeoutMs);
    running.add(child);
    let output = '';
    const collect = (text: string) => {
      output += text;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.stdin?.on('error', () => undefined).end(input ?? '');
    const settle = (ok: boolean, text: string) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ ok, output: text });
    };
    child.once('error', (error) => settle(false, error.message));
    child.once('close', (code, signal) => settle(code === 0, signal ? `${output}\nended by ${signal}` : output.trim()));
  });
}

/** Ends the programs that still run: a start that is interrupted must not wait for a build of five minutes. */
export function endPrograms(): void {
  for (const child of running) endGroup(child);
}

function endGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The program never started, or has ended.
  }
}
