import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { executeCommands, readCommands } from '../support/documented-commands.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { as, expectOk, givenIn, singleCallBody } from '../support/given.ts';
import { reasonOf } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { figures } from './support/figures.ts';

/**
 * The upgrade as docs/operations.md and docs/self-hosting.md describe it, with the files of deploy/ as they stand there: only ports
 * and paths are others.
 */
const gateway = gatewayForTests({ worker: false });
const given = givenIn(gateway);
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const requestsPerSecond = 60;
/** The prompt has ten words, with a pause before each but the first. */
const streamModel = 'sim-echo-every-2000';

interface Proxy {
  name: string;
  file: string;
  command: (file: string) => [string, string[]];
  /** Makes the file usable beside others on this machine. */
  adapt: (text: string, folder: string, statsPort: number) => string;
}

const proxies: Proxy[] = [
  {
    name: 'HAProxy',
    file: 'deploy/haproxy.cfg',
    command: (file) => ['haproxy', ['-db', '-f', file]],
    adapt: (text, _, stats) => text.replace('127.0.0.1:8404', `127.0.0.1:${stats}`),
  },
  {
    name: 'nginx',
    file: 'deploy/nginx.conf',
    command: (file) => ['nginx', ['-c', file, '-g', 'daemon off;']],
    adapt: (text, folder) => {
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (of) => `${of}_temp_path ${folder}/${of};`,
      );
      const own = [`access_log ${folder}/access.log;`, ...paths].join(' ');
      return `pid ${folder}/nginx.pid; error_log ${folder}/error.log;\n${text.replace('http {', `http { ${own}`)}`;
    },
  },
];

/** The command of docs/self-hosting.md that states whether the proxy uses an api. */
function seenBy(name: string, api: number, statsPort: number): string {
  const [, command] = new RegExp(`${name}: \`SEEN='(.*?)'\``).exec(read('docs/self-hosting.md')) ?? [];
  return command!.replace('127.0.0.1:8404', `127.0.0.1:${statsPort}`).replace('api-1', `api-${api}`);
}

interface Running {
  program: string;
  pid: string;
  port: number;
  seen: string;
}

test.each(proxies)(
  'no request and no stream through $name is lost while the documented commands replace every worker and api (spec 15.5)',
  async ({ name, file, command, adapt }) => {
    const folder = mkdtempSync(join(tmpdir(), 'job-gateway-deploy-'));
    const [front, stats] = [await freePort(), await freePort()];
    const ports = [await freePort(), await freePort()];
    const config = join(folder, 'config');
    const adapted = ports.reduce(
      (text, port, n) => text.replace(`127.0.0.1:800${n + 1}`, `127.0.0.1:${port}`),
      read(file),
    );
    writeFileSync(
      config,
      adapt(
        adapted.replace(/(bind |listen ):?8080/, (_, word) => `${word}127.0.0.1:${front}`),
        folder,
        stats,
      ),
    );
    let proxy: ChildProcess | undefined;
    const running: Running[] = [];
    const replace = readCommands('Upgrade').at(-1)!;
    const start = async (commands: string, of: Omit<Running, 'pid'>, pid = ''): Promise<Running> => {
      const output = await executeCommands(`${commands}\necho "started $!"`, {
        ...gateway.current.environment,
        DRAIN_SECONDS: '60',
        LAME_DUCK_SECONDS: '5',
        RATE_LIMIT_REQUESTS_PER_MINUTE: '100000',
        TRUST_PROXY: '1',
        PROGRAM: of.program,
        PID: pid,
        LOG: join(folder, 'log'),
        SEEN: of.seen,
        READY: `http://127.0.0.1:${of.port}/health/ready`,
        ...(of.program === 'src/api.ts' ? { PORT: String(of.port) } : { METRICS_PORT: String(of.port) }),
      });
      return { ...of, pid: /started (\d+)/.exec(output)![1]! };
    };
    try {
      const startOnly = replace.split('\n').slice(2).join('\n');
      for (const port of [await freePort(), await freePort()])
        running.push(await start(startOnly, { program: 'src/worker.ts', port, seen: 'true' }));
      for (const [n, port] of ports.entries())
        running.push({
          ...(await start(startOnly, { program: 'src/api.ts', port, seen: 'true' })),
          seen: seenBy(name, n + 1, stats),
        });
      const [program, args] = command(config);
      proxy = spawn(program, args, { stdio: 'ignore' });
      const url = `http://127.0.0.1:${front}`;
      await until(
        () =>
          fetch(`${url}/health/ready`).then(
            ({ ok }) => ok,
            () => false,
          ),
        Boolean,
        60_000,
      );

      const team = await given.team({
        credits: 100_000,
        models: [streamModel],
        rpm_limit: 100_000,
        tpm_limit: 100_000_000,
      });
      const client = as({ current: { ...gateway.current, url } }, team);
      const { job_id } = expectOk(await client.single());
      const outcomes: string[] = [];
      const sent: Promise<unknown>[] = [];
      const startedAt = performance.now();
      const timer = setInterval(() => {
        const due = ((performance.now() - startedAt) * requestsPerSecond) / 1_000;
        while (sent.length < due)
          sent.push(
            client.get(`/api/jobs/${job_id}`).then(
              ({ status }) => outcomes.push(String(status)),
              (error) => outcomes.push(`no answer: ${reasonOf(error)}`),
            ),
          );
      }, 5);
      const streams: Promise<string>[] = [];
      const openStream = async () => {
        const response = await fetch(`${url}/api/jobs/create-and-call-stream`, {
          method: 'POST',
          headers: { authorization: `Bearer ${team.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            ...singleCallBody(team),
            messages: [{ role: 'user', content: 'a b c d e f g h i j' }],
          }),
        });
        return `${response.status} ${(await response.text()).trimEnd().endsWith('[DONE]') ? 'whole' : 'cut'}`;
      };

      for (const old of [...running]) {
        for (let n = 0; n < 5; n += 1) streams.push(openStream().catch((error) => `no answer: ${reasonOf(error)}`));
        running.push(await start(replace, old, old.pid));
        running.splice(running.indexOf(old), 1);
      }
      clearInterval(timer);
      await Promise.all(sent);

      expect(
        Object.entries(Object.groupBy(outcomes, (outcome) => outcome)).map(([key, all]) => [key, all!.length]),
      ).toEqual([['200', sent.length]]);
      expect(await Promise.all(streams)).toEqual(streams.map(() => '200 whole'));
      figures(`documented upgrade behind ${name}`, {
        'requests, all 200': sent.length,
        'streams, whole': streams.length,
      });
    } finally {
      for (const { pid } of running) process.kill(Number(pid), 'SIGKILL');
      if (proxy) {
        proxy.kill('SIGTERM');
        if (proxy.exitCode === null) await once(proxy, 'exit');
      }
      rmSync(folder, { recursive: true });
    }
  },
  480_000,
);
