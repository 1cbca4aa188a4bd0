import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Say, sayWhileWaiting } from '../../say.ts';
import { findProgram } from '../find-program.ts';
import { type Outcome, runProgram } from '../run-program.ts';

const usualFolders = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin', '/snap/bin'];

/**
 * The release's own is 1.34.1, with which a request that its client gives up at the wrong microsecond leaves the one connection
 * to the database interrupted for good: every request fails from then on (a few hundred were enough). From 1.40 on the
 * connection is opened anew.
 */
const sqliteVersion = '1.44.3';

/** Builds the same release from its sources, with a newer driver of its database: about 5 minutes on two cores, once. */
export async function buildTemporal(folder: string, version: string, say: Say): Promise<Outcome> {
  const go = findProgram(['go'], usualFolders);
  if (!go) return { ok: false, output: 'Go is not installed' };
  mkdirSync(folder, { recursive: true });
  const required = [`github.com/temporalio/cli v${version}`, `modernc.org/sqlite v${sqliteVersion}`];
  writeFileSync(join(folder, 'go.mod'), `module temporal\n\ngo 1.25.0\n\nrequire (\n${required.join('\n')}\n)\n`);
  const env = { ...process.env, GOWORK: 'off', ...(isWritable(homedir()) ? {} : ownGoFolders(folder)) };
  const args = ['build', '-mod=mod', '-o', 'temporal', 'github.com/temporalio/cli/cmd/temporal'];
  const build = () => runProgram(go, args, { env, cwd: folder, timeoutMs: 45 * 60_000 });
  return sayWhileWaiting(say, `building Temporal ${version} with Go, which takes minutes the first time`, build);
}

const ownGoFolders = (folder: string) => ({ GOPATH: join(folder, 'go'), GOCACHE: join(folder, 'go-build') });

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
