import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of these programs that is in a folder of PATH, or in one of the further folders. */
export function findProgram(names: string[], furtherFolders: string[] = []): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...furtherFolders].filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export type Outcome = { ok: boolean; output: string };

const running = new Set<ChildProcess>();

/** Runs a program to its end. Returns its output, or the error message where it could not be started. */
export function runProgram(
  command: string,
  args: string[],
  { input, timeoutMs, ...options }: SpawnOptions & { input?: string; timeoutMs: number },
): Promise<Outcome> {
  return new Promise((resolve) => {
    // The program has a process group of its own: a build that is aborted has child processes.
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

/** Ends all programs that are running: an interrupted start must not wait for a build of five minutes. */
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
