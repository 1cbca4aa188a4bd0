import { accessSync, constants, copyFileSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Print, printWhileRunning } from '../../print.ts';
import { findProgram, type Outcome, runProgram } from '../run-program.ts';
import { temporalVersion } from './release.ts';

const usualFolders = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin', '/snap/bin'];

/** The modules of the build. Go refuses a module whose content does not match `go.sum`. */
const source = new URL('./source/', import.meta.url);

/**
 * Builds the same release from its sources with a newer driver of its database, once: about 5 minutes on two cores. With the release's
 * own driver, 1.34.1, a request that its client aborts at a certain moment leaves the only connection to the database interrupted, and
 * every later request fails (it happened within a few hundred aborted requests). From 1.40 on the connection is reopened.
 */
export async function buildTemporal(folder: string, print: Print): Promise<Outcome> {
  const go = findProgram(['go'], usualFolders);
  if (!go) return { ok: false, output: 'Go is not installed' };
  mkdirSync(folder, { recursive: true });
  for (const name of ['go.mod', 'go.sum']) copyFileSync(new URL(name, source), join(folder, name));
  const env = { ...process.env, GOWORK: 'off', ...(isWritable(homedir()) ? {} : ownGoFolders(folder)) };
  const args = ['build', '-mod=readonly', '-o', 'temporal', 'github.com/temporalio/cli/cmd/temporal'];
  const build = () => runProgram(go, args, { env, cwd: folder, timeoutMs: 45 * 60_000 });
  return printWhileRunning(
    print,
    `building Temporal ${temporalVersion} with Go, which takes minutes the first time`,
    build,
  );
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
