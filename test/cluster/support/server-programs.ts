import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../../tools/dev/programs.ts';
import { findProgram, runProgram } from '../../../tools/dev/services/run-program.ts';

/** The sums of the server's Go module, as https://sum.golang.org has them. Go itself verifies those of what the module requires. */
export const sums = {
  '1.31.2': 'h1:0O4zQ0NGRit2Z32s1XUHfs9k8zSKqff2n1QvFttYN0M=',
  '1.32.1': 'h1:grI5B5cBEMRJnDzGKtsxQRQpsNPisej1B6WgVksc9EM=',
};

export type ServerVersion = keyof typeof sums;

/** The version that the compose file starts. */
export function composeVersion(): string {
  const compose = readFileSync(join(project, 'docker-compose.yml'), 'utf8');
  return /temporalio\/server:\$\{TEMPORAL_VERSION:-([\d.]+)\}/.exec(compose)![1]!;
}

export const pinned: ServerVersion = '1.32.1';
/** A version of the minor before. */
export const previousMinor: ServerVersion = '1.31.2';

const buildWithinMs = 3_600_000;

/**
 * The folder of `temporal-server` and `temporal-sql-tool` of this version. They are built from the Go module once, which takes five minutes
 * of two cores, and stay in the cache.
 */
export async function serverPrograms(version: ServerVersion, cache: string): Promise<string> {
  const folder = join(cache, `temporal-server-${version}`);
  if (existsSync(folder)) return folder;
  const go = findProgram(['go'], ['/usr/local/go/bin']);
  if (!go) throw new Error('The Temporal server is built from its Go module: install Go 1.26 (https://go.dev/dl).');
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  const run = async (...args: string[]): Promise<string> => {
    // Outside of the draft no go.mod of another project can be read.
    const options = { cwd: draft, env: { ...process.env, GOBIN: draft }, timeoutMs: buildWithinMs };
    const { ok, output } = await runProgram(go, args, options);
    if (!ok) throw new Error(`go ${args.join(' ')} failed:\n${output.slice(-2_000)}`);
    return output;
  };
  try {
    process.stderr.write(`Building Temporal's server ${version} from its Go module: some minutes, once.\n`);
    const { Sum } = JSON.parse(await run('mod', 'download', '-json', `go.temporal.io/server@v${version}`));
    if (Sum !== sums[version]) throw new Error(`the module of Temporal's server ${version} has the sum ${Sum}`);
    await run(
      'install',
      `go.temporal.io/server/cmd/server@v${version}`,
      `go.temporal.io/server/cmd/tools/sql@v${version}`,
    );
    renameSync(join(draft, 'server'), join(draft, 'temporal-server'));
    renameSync(join(draft, 'sql'), join(draft, 'temporal-sql-tool'));
    renameSync(draft, folder);
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
