import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from '../../support/until.ts';
import { Link } from './link.ts';
import { type WatchBytes, watchBytes } from './watch-bytes.ts';
import { type WatchStatements, watchStatements } from './watch-statements.ts';

export type Kind = 'api' | 'worker';
export type Part = 'postgres' | 'redis' | 'temporal' | 'upstream';

const programs = { api: '../../../src/api.ts', worker: '../../../src/worker.ts' };
/** What each says in its log when it is ready. */
const readyWords = { api: '"msg":"api: listening"', worker: '"msg":"worker: started"' };

/**
 * Where one api or worker process runs, again and again: its log, and a link of its own to every part that it needs. One
 * that dies without being told to is started again, as `npm start` and every supervisor does.
 */
export class Place {
  readonly kind: Kind;
  readonly links: Record<Part, Link>;
  readonly logFile: string;
  private readonly environment: Record<string, string>;
  private child: ChildProcess | undefined;
  private starting: Promise<void> = Promise.resolve();
  private wanted = false;
  kills = 0;
  /** Asked about each statement to PostgreSQL, before and after, and about all bytes to and from the other parts. */
  watchStatement: WatchStatements = () => 'pass';
  watchBytes: Record<Exclude<Part, 'postgres'>, WatchBytes> = {
    redis: () => 'pass',
    temporal: () => 'pass',
    upstream: () => 'pass',
  };
  /** A new process is ready. */
  onReady: () => void = () => undefined;

  private constructor(kind: Kind, links: Record<Part, Link>, logFile: string, environment: Record<string, string>) {
    this.kind = kind;
    this.links = links;
    this.logFile = logFile;
    this.environment = environment;
    links.postgres.tap = watchStatements((statement, moment) => this.watchStatement(statement, moment));
    for (const part of ['redis', 'temporal', 'upstream'] as const) {
      links[part].tap = watchBytes((bytes, from) => this.watchBytes[part](bytes, from));
    }
  }

  static async open(kind: Kind, logFile: string, environment: Record<string, string>): Promise<Place> {
    const links = {
      postgres: await Link.open(environment.DATABASE_URL!),
      redis: await Link.open(environment.REDIS_URL!),
      temporal: await Link.open(`tcp://${environment.TEMPORAL_ADDRESS}`),
      upstream: await Link.open(environment.UPSTREAM_BASE_URL!),
    };
    return new Place(kind, links, logFile, {
      ...environment,
      DATABASE_URL: links.postgres.url,
      REDIS_URL: links.redis.url,
      TEMPORAL_ADDRESS: links.temporal.address,
      UPSTREAM_BASE_URL: links.upstream.url,
    });
  }

  get log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  get logBytes(): number {
    return statSync(this.logFile).size;
  }

  get pid(): number {
    if (this.child?.pid === undefined) throw new Error(`no ${this.kind} is running here`);
    return this.child.pid;
  }

  /** Resident memory in bytes. */
  get memory(): number {
    const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1_024;
  }

  /** Resolves when the process says that it is ready. */
  start(): Promise<void> {
    this.wanted = true;
    this.starting = this.run();
    return this.starting;
  }

  /** Resolves when a process runs here that is ready, the one that was started again included. */
  ready(): Promise<void> {
    return this.starting;
  }

  /** As a machine that loses its power; started again at once. */
  kill(): void {
    this.kills += 1;
    this.child?.kill('SIGKILL');
  }

  signal(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  /** Ends it with this signal, and does not start it again. Gives its exit code; null when the signal killed it. */
  async end(name: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.wanted = false;
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
    const lines = this.log.split('\n').filter((line) => line.includes(readyWords.api));
    return JSON.parse(lines.at(-1)!).url;
  }

  private async run(): Promise<void> {
    const log = openSync(this.logFile, 'a');
    const from = statSync(this.logFile).size;
    const program = fileURLToPath(new URL(programs[this.kind], import.meta.url));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...this.environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.child = child;
    child.once('exit', () => {
      if (this.wanted) this.start().catch(() => undefined);
    });
    const said = () => readFileSync(this.logFile).subarray(from).includes(readyWords[this.kind]);
    await until(() => said() || child.exitCode !== null || child.signalCode !== null, Boolean, 60_000);
    if (said()) this.onReady();
    else if (this.wanted) await this.starting;
  }
}
