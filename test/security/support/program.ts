import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { programArguments } from '../../support/program-arguments.ts';
import { until } from '../../support/until.ts';

/** An api or a worker as a process of its own, as it is installed. */
export interface Program {
  pid: number;
  /** The URL of an api on the loopback address. */
  url: string;
  /** Its log lines so far. */
  log(): LogLine[];
  /** Resident memory in mebibytes. */
  memory(): number;
  isRunning(): boolean;
  end(): Promise<void>;
}

export interface LogLine {
  level: number;
  msg: string;
  [field: string]: unknown;
}

export async function startProgram(
  kind: 'api' | 'worker',
  logFile: string,
  environment: Record<string, string>,
): Promise<Program> {
  const output = openSync(logFile, 'a');
  const child = spawn(process.execPath, programArguments(`src/${kind}.ts`), {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const log = () => readLog(logFile);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const ownUrl = () => log().find(({ url }) => String(url).startsWith('http://'))?.url as string | undefined;
  const program = {
    pid: child.pid!,
    url: '',
    log,
    memory: () => readMemory(child.pid!),
    isRunning,
    end: () => end(child),
  };
  if (kind === 'worker') return program;
  await until(() => !isRunning() || ownUrl(), Boolean, 60_000);
  if (!isRunning()) throw new Error(`the api ended during its start:\n${readFileSync(logFile, 'utf8')}`);
  return { ...program, url: ownUrl()!.replace('0.0.0.0', '127.0.0.1') };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function readLog(file: string): LogLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{') && line.endsWith('}')).map((line) => JSON.parse(line) as LogLine);
}

/** Resident memory of a process in mebibytes. */
export function readMemory(pid: number, field: 'VmRSS' | 'RssAnon' = 'VmRSS'): number {
  const [, kibibytes] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1_024;
}
