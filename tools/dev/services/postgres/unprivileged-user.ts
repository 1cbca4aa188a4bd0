import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type User = { name: string; uid: number; gid: number };

/** The account to run PostgreSQL as when this process is root, which PostgreSQL refuses; else undefined. */
export function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n').map(parseAccount);
  const user = accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody');
  if (!user)
    throw new Error('PostgreSQL refuses to run as root, and there is no account "postgres" or "nobody" to run it as.');
  return user;
}

function parseAccount(line: string): User {
  const [name = '', , uid, gid] = line.split(':');
  return { name, uid: Number(uid), gid: Number(gid) };
}

/** Tests access as that user instead of reading modes: parent folders, mount options and access lists matter too. */
export function canReach({ uid, gid }: User, test: '-r' | '-x', path: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'test "$0" "$1"', test, path], { uid, gid, cwd: '/' }).status === 0;
}
