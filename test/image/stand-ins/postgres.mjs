// Stands in for the start of the image of PostgreSQL: as root it makes the data of an account of its own, then runs the server as that account.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [uid, gid] = [1000, 1000];
const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: database = user } = process.env;
const data = '/var/lib/postgresql/data/pgdata';
const bin = '/postgres/bin';
const as = { uid, gid, stdio: 'inherit' };

if (!existsSync(`${data}/PG_VERSION`)) {
  mkdirSync(dirname(data), { recursive: true });
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, uid, gid);
  writeFileSync('/tmp/password', password, { mode: 0o600 });
  chownSync('/tmp/password', uid, gid);
  const created = ['--auth=scram-sha-256', '--pwfile=/tmp/password', '--encoding=UTF8', '--no-sync'];
  const { status } = spawnSync(`${bin}/initdb`, ['-D', data, '-U', user, ...created], as);
  if (status !== 0) process.exit(1);
  writeFileSync(`${data}/pg_hba.conf`, 'local all all trust\nhost all all all scram-sha-256\n');
  const single = { ...as, stdio: ['pipe', 'inherit', 'inherit'], input: `create database ${database}\n` };
  if (database !== 'postgres') spawnSync(`${bin}/postgres`, ['--single', '-D', data, 'postgres'], single);
}
const given = process.argv.slice(2).filter((argument) => argument !== 'postgres');
const server = spawn(
  `${bin}/postgres`,
  ['-D', data, '-c', 'listen_addresses=*', '-c', 'unix_socket_directories=/tmp', ...given],
  as,
);
process.on('SIGTERM', () => server.kill('SIGINT'));
server.on('exit', (code) => process.exit(code ?? 1));
