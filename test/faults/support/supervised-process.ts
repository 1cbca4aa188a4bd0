import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programArguments } from '../../support/program-arguments.ts';
import { until } from '../../support/until.ts';
import { type ByteInterceptor, interceptBytes } from './intercept-bytes.ts';
import { interceptStatements, type StatementInterceptor } from './intercept-statements.ts';
import { Link } from './link.ts';

export type Kind = 'api' | 'worker';
export type Dependency = 'postgres' | 'redis' | 'temporal' | 'upstream';

const ownCode = fileURLToPath(new URL('../../..', import.meta.url));
/** The text that each logs when it is ready. */
const readyLine = { api: '"msg":"api: listening"', worker: '"msg":"worker: started"' };

/**
 * One api or worker process with its log and a link to each dependency. It is started again whenever it exits by itself, as
 * `npm start` and every supervisor does.
 */
export class SupervisedProcess {
  readonly kind: Kind;
  readonly links: Record<Dependency, Link>;
  readonly logFile: string;
  private readonly environment: Record<string, string>;
  private readonly code: string;
  private child: ChildProcess | undefined;
  private starting: Promise<void> = Promise.resolve();
  private shouldRun = false;
  kills = 0;
  /** Called for each statement to PostgreSQL, before and after it, and for all bytes to and from the other dependencies. */
  onStatement: StatementInterceptor = () => 'pass';
  onBytes: Record<Exclude<Dependency, 'postgres'>, ByteInterceptor> = {
    redis: () => 'pass',
    temporal: () => 'pass',
    upstream: () => 'pass',
  };
  /** Called when a new process is ready. */
  onReady: () => void = () => undefined;

  private constructor(
    kind: Kind,
    links: Record<Dependency, Link>,
    logFile: string,
    environment: Record<string, string>,
    code: string,
  ) {
    this.kind = kind;
    this.code = code;
    this.links = links;
    this.logFile = logFile;
    this.environment = environment;
    links.postgres.tap = interceptStatements((statement, moment) => this.onStatement(statement, moment));
    for (const dependency of ['redis', 'temporal', 'upstream'] as const) {
      links[dependency].tap = interceptBytes((bytes, from) => this.onBytes[dependency](bytes, from));
    }
  }

  /** `code`: the folder of a checkout, by default of this one. */
  static async open(
    kind: Kind,
    logFile: string,
    environment: Record<string, string>,
    code: string = ownCode,
  ): Promise<SupervisedProcess> {
    const links = {
      postgres: await Link.open(environment.DATABASE_URL!),
      redis: await Link.open(environment.REDIS_URL!),
      temporal: await Link.open(`tcp://${environment.TEMPORAL_ADDRESS}`),
      upstream: await Link.open(environment.UPSTREAM_BASE_URL!),
    };
    const settings = {
      ...environment,
      // A worker of other code makes the bundle of its own workflows.
      ...(code !== ownCode && { WORKFLOW_BUNDLE: '' }),
      DATABASE_URL: links.postgres.url,
      REDIS_URL: links.redis.url,
      TEMPORAL_ADDRESS: links.temporal.address,
      UPSTREAM_BASE_URL: links.upstream.url,
    };
    return new SupervisedProcess(kind, links, logFile, settings, code);
  }

  get log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  get logBytes(): number {
    return statSync(this.logFile).size;
  }

  get pid(): number {
    if (this.child?.pid === undefined) throw new Error(`the ${this.kind} is not running`);
    return this.child.pid;
  }

  /** Resident memory in bytes. */
  get memory(): number {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1_024;
  }

  /** Resolves when the process has logged that it is ready. */
  start(): Promise<void> {
    this.shouldRun = true;
    this.starting = this.run();
    return this.starting;
  }

  /** Resolves when the process is ready, also one that was started again. */
  ready(): Promise<void> {
    return this.starting;
  }

  /** SIGKILL, as on a machine that loses its power. The process is started again at once. */
  kill(): void {
    this.kills += 1;
    this.child?.kill('SIGKILL');
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** Ends it with this signal, and does not start it again. Returns its exit code; null when the signal killed it. */
  async end(name: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.shouldRun = false;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(name);
    const [code] = await exited;
    return code;
  }

  async close(): Promise<void> {
    await this.end('SIGKILL');
    await this.starting.catch(() => undefined);
    await Promise.all(Object.values(this.links).map((link) => link.close()));
  }

  /** The address that an api listens on. */
  get listening(): string {
    const lines = this.log.split('\n').filter((line) => line.includes(readyLine.api));
    return JSON.parse(lines.at(-1)!).url;
  }

  private async run(): Promise<void> {
    const log = openSync(this.logFile, 'a');
    const from = statSync(this.logFile).size;
    const child = spawn(process.execPath, programArguments(`src/${this.kind}.ts`, this.code), {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...this.environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.child = child;
    child.once('exit', () => {
      if (this.shouldRun) this.start().catch(() => undefined);
    });
    const isReady = () => readFileSync(this.logFile).subarray(from).includes(readyLine[this.kind]);
    await until(() => isReady() || child.exitCode !== null || child.signalCode !== null, Boolean, 60_000);
    if (isReady()) this.onReady();
    else if (this.shouldRun) await this.starting;
  }
}
