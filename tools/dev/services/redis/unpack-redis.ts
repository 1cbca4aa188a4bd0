import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Print, printWhileRunning } from '../../print.ts';
import { ownEnvironment } from '../own-environment.ts';
import { findProgram, runProgram } from '../run-program.ts';

type Unpacked = { program: string; env: NodeJS.ProcessEnv };

/** A Redis that an earlier start unpacked, if it still runs: the system may have been upgraded since. */
export async function findUnpackedRedis(folder: string): Promise<Unpacked | undefined> {
  const program = join(folder, 'usr', 'bin', 'redis-server');
  if (!existsSync(program)) return undefined;
  const libraries = globSync(join(folder, 'usr', 'lib', '**', '*.so.*')).map((file) => dirname(file));
  const env = { LD_LIBRARY_PATH: [...new Set(libraries)].join(':') };
  const options = { env: { ...ownEnvironment('/'), ...env }, timeoutMs: 10_000 };
  const { ok } = await runProgram(program, ['--version'], options);
  return ok ? { program, env } : undefined;
}

/**
 * The system's Redis package and the libraries that it needs, unpacked into the cache. Installing it would need root, and would start
 * a service on port 6379.
 */
export async function unpackRedis(folder: string, print: Print): Promise<Unpacked | { problem: string }> {
  if (!findProgram(['apt-get']) || !findProgram(['dpkg-deb']))
    return { problem: 'only Debian and distributions based on it are supported' };
  return printWhileRunning(print, "fetching the system's Redis package", async () => {
    mkdirSync(dirname(folder), { recursive: true });
    const draft = mkdtempSync(`${folder}-`);
    try {
      await fetchPackages(draft);
      rmSync(folder, { recursive: true, force: true });
      renameSync(join(draft, 'root'), folder);
    } catch (error) {
      return { problem: (error as Error).message };
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
    return (await findUnpackedRedis(folder)) ?? { problem: `what was unpacked into ${folder} does not run` };
  });
}

async function fetchPackages(draft: string): Promise<void> {
  const downloads = join(draft, 'downloads');
  mkdirSync(join(draft, 'lists', 'partial'), { recursive: true });
  mkdirSync(join(draft, 'cache', 'archives', 'partial'), { recursive: true });
  mkdirSync(downloads);
  // Lists and cache of its own: the system's may be empty or old, and only root may update them.
  const own = ['-o', `Dir::State::lists=${join(draft, 'lists')}`, '-o', `Dir::Cache=${join(draft, 'cache')}`];
  const timeouts = ['-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=1', '-o', 'APT::Sandbox::User=root'];
  const apt = (...args: string[]) => run(downloads, 'apt-get', [...own, ...timeouts, ...args]);
  await apt('update');
  // The package and those of its dependencies that this system lacks.
  const listing = await apt('install', '--print-uris', '-qq', '-y', '--no-install-recommends', 'redis-server');
  const packages = [...listing.matchAll(/^'\S+' (\S+?)_/gm)].map((match) => match[1] ?? '');
  await apt('download', ...packages);
  for (const file of readdirSync(downloads)) await run(downloads, 'dpkg-deb', ['-x', file, join(draft, 'root')]);
}

async function run(cwd: string, command: string, args: string[]): Promise<string> {
  const { ok, output } = await runProgram(command, args, { cwd, timeoutMs: 180_000 });
  if (!ok)
    throw new Error(
      `"${command} ${args.filter((arg) => !arg.includes('=') && arg !== '-o').join(' ')}" failed: ${output.split('\n').at(-1)}`,
    );
  return output;
}
