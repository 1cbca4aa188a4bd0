import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from '../../support/until.ts';

const name = (n: number): string => `api-${n}`;

/**
 * As in docs/operations.md: a probe every half second, one 503 takes an api out, and a late answer does not; nothing is repeated and
 * nothing delayed.
 */
const configuration = (port: number, socket: string, apis: number): string => `
global
  stats socket ${socket} level admin
defaults
  mode http
  timeout connect 2s
  timeout client 120s
  timeout server 120s
  timeout check 3s
  retries 0
  option http-no-delay
  option httpchk GET /health/ready
frontend clients
  bind 127.0.0.1:${port}
  default_backend apis
backend apis
  balance roundrobin
  default-server check inter 500ms fall 1 rise 1
${Array.from({ length: apis }, (_, n) => `  server ${name(n)} 127.0.0.1:1 disabled`).join('\n')}
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A real HAProxy, from the PATH, in front of apis whose ports change when they are restarted. */
export class HaProxy implements AsyncDisposable {
  readonly url: string;
  private readonly folder: string;
  private readonly child: ChildProcess;

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.url = url;
    this.folder = folder;
    this.child = child;
  }

  static async open(apis: number): Promise<HaProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'job-gateway-haproxy-'));
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    writeFileSync(file, configuration(port, join(folder, 'admin'), apis));
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    const started = once(child, 'spawn');
    await started.catch(() => {
      throw new Error('this test needs HAProxy: apt-get install haproxy');
    });
    const opened = new HaProxy(`http://127.0.0.1:${port}`, folder, child);
    await until(() => opened.command('show info').then(Boolean, () => false));
    return opened;
  }

  /** Sends requests to the api at this address from its first successful probe on. */
  async setTarget(n: number, url: string): Promise<void> {
    const { hostname, port } = new URL(url);
    await this.command(`set server apis/${name(n)} addr ${hostname} port ${port}`);
    await this.command(`enable health apis/${name(n)}`);
    await this.command(`set server apis/${name(n)} state ready`);
  }

  async isReady(n: number): Promise<boolean> {
    const rows = (await this.command('show stat')).split('\n').map((row) => row.split(','));
    return rows.some(([proxy, server, ...rest]) => proxy === 'apis' && server === name(n) && rest[15] === 'UP');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    rmSync(this.folder, { recursive: true });
  }

  private async command(line: string): Promise<string> {
    const socket = connect(join(this.folder, 'admin'));
    await once(socket, 'connect');
    socket.end(`${line}\n`);
    return text(socket);
  }
}
