import { once } from 'node:events';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../../../tools/dev/folders.ts';
import { openProcessGroup } from '../../../tools/dev/processes/process-group.ts';
import { readIdentity } from '../../../tools/dev/processes/process-identity.ts';
import { project } from '../../../tools/dev/programs.ts';
import { freePort, isFree } from '../../../tools/dev/services/free-port.ts';
import { launchPostgres } from '../../../tools/dev/services/postgres/launch-postgres.ts';
import { runProgram } from '../../../tools/dev/services/run-program.ts';
import { findTemporal } from '../../../tools/dev/services/temporal/find-temporal.ts';
import { until } from '../../support/until.ts';
import { type Host, hosts, type Ports, type Role, roles, type Security, serverConfig } from './server-config.ts';
import { pinned, type ServerVersion, serverPrograms } from './server-programs.ts';
import { TcpBalancer } from './tcp-balancer.ts';

export interface ClusterOptions {
  version?: ServerVersion;
  security?: Security;
  /** What the Temporal CLI needs to reach a secured cluster. */
  cliEnvironment?: Record<string, string>;
}

/**
 * Temporal as an installation has it: its services on two hosts, each a process, with PostgreSQL, the dynamic configuration of the compose
 * file, and databases, namespace and search attributes made by the files that the compose file runs.
 */
export interface Cluster {
  /** The balancer in front of the frontends. */
  address: string;
  namespace: string;
  roles: readonly Role[];
  /** Ends one process: SIGKILL as on a machine that loses its power, SIGTERM as in a deploy. Resolves when it has ended. */
  end(role: Role, host: Host, signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts one process, of the version of the last upgrade. */
  start(role: Role, host: Host): Promise<void>;
  /** Updates the schema. Processes that are started from now on are of this version. */
  upgradeTo(version: ServerVersion): Promise<void>;
  /** Runs the Temporal CLI. */
  cli(...args: string[]): Promise<string>;
  pid(role: Role, host: Host): number;
  postgresPid: number;
  close(): Promise<void>;
}

const namespace = 'default';
const print = (line: string) => process.stderr.write(`${line}\n`);

export async function openCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { version = pinned, security, cliEnvironment = {} } = options;
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-cluster-'));
  const cache = cacheFolder(folder);
  let programs = await serverPrograms(version, cache);
  const cliProgram = await findTemporal(cache, print);
  const group = openProcessGroup(folder);
  const closing = new AsyncDisposableStack();
  closing.defer(() => group.end());
  try {
    const ofCluster: readonly Role[] = security ? [...roles, 'internal-frontend'] : roles;
    const postgres = await group.start(() => launchPostgres(folder, { isDurable: true }));
    const { port: postgresPort, username: postgresUser } = new URL(postgres.url);
    const ports = await freePorts();
    for (const host of hosts)
      writeFileSync(
        join(folder, `${host}.yaml`),
        serverConfig({ host, ports, postgresPort: Number(postgresPort), postgresUser, security }),
      );
    const balancer = await TcpBalancer.open(hosts.map((host) => ({ host, port: ports.frontend.grpc })));
    closing.defer(() => balancer.close());

    /** Runs one of the files that the compose file runs, with the programs of the containers on PATH. */
    const setUp = async (file: string, environment: Record<string, string>): Promise<void> => {
      const bin = mkdtempSync(join(folder, 'bin-'));
      symlinkSync(cliProgram, join(bin, 'temporal'));
      symlinkSync(join(programs, 'temporal-sql-tool'), join(bin, 'temporal-sql-tool'));
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, ...environment };
      const { ok, output } = await runProgram('/bin/sh', [join(project, 'deploy', file)], { env, timeoutMs: 180_000 });
      if (!ok) throw new Error(`deploy/${file} failed:\n${output.slice(-3_000)}`);
    };
    const updateSchema = () =>
      setUp('temporal-schema.sh', {
        SQL_PLUGIN: 'postgres12',
        SQL_HOST: '127.0.0.1',
        SQL_PORT: postgresPort,
        SQL_USER: postgresUser,
        SQL_PASSWORD: '',
      });
    const nameOf = (role: Role, host: Host) => `temporal-${role}-${host}`;
    const start = async (role: Role, host: Host): Promise<void> => {
      await group.start(async () => ({
        name: nameOf(role, host),
        command: join(programs, 'temporal-server'),
        args: [...['--config-file', join(folder, `${host}.yaml`), '--allow-no-auth'], ...['start', '--service', role]],
        env: { PATH: '/usr/bin:/bin', HOME: folder },
        cwd: folder,
        ready: () => accepts(host, ports[role].grpc),
      }));
    };
    const end = async (role: Role, host: Host, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
      const pid = group.pidOf(nameOf(role, host));
      const identity = readIdentity(pid);
      process.kill(pid, signal);
      await until(() => readIdentity(pid) !== identity, Boolean, 60_000);
    };
    const environment = { TEMPORAL_ADDRESS: balancer.address, TEMPORAL_NAMESPACE: namespace, ...cliEnvironment };
    const cli = async (...args: string[]): Promise<string> => {
      const env = { PATH: process.env.PATH, HOME: folder, ...environment };
      const { ok, output } = await runProgram(cliProgram, args, { env, timeoutMs: 30_000 });
      if (!ok) throw new Error(`temporal ${args.join(' ')} failed:\n${output}`);
      return output;
    };

    await updateSchema();
    await Promise.all(hosts.flatMap((host) => ofCluster.map((role) => start(role, host))));
    await until(
      () =>
        cli('operator', 'cluster', 'health').then(
          () => true,
          () => false,
        ),
      Boolean,
      60_000,
    );
    await setUp('temporal-namespace.sh', environment);
    return {
      address: balancer.address,
      namespace,
      roles: ofCluster,
      end,
      start,
      async upgradeTo(next) {
        programs = await serverPrograms(next, cache);
        await updateSchema();
      },
      cli,
      pid: (role, host) => group.pidOf(nameOf(role, host)),
      postgresPid: group.pidOf('postgres'),
      close: () => closing.disposeAsync(),
    };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

async function freePorts(): Promise<Ports> {
  const taken = new Set<number>();
  const free = async (): Promise<number> => {
    for (;;) {
      const port = await freePort(hosts[0]);
      if (taken.has(port) || !(await isFree(port, hosts[1]))) continue;
      taken.add(port);
      return port;
    }
  };
  const entries: [Role, { grpc: number; membership: number }][] = [];
  for (const role of [...roles, 'internal-frontend'] as const)
    entries.push([role, { grpc: await free(), membership: await free() }]);
  return Object.fromEntries(entries) as Ports;
}

async function accepts(host: Host, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
