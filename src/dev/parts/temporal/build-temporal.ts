import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Say, sayWhileWaiting } from '../../say.ts';
import { findProgram } from '../find-program.ts';
import { type Outcome, runProgram } from '../run-program.ts';

const usualFolders = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/bin', '/snap/bin'];

/** Builds the same release from its sources: about 5 minutes on two cores, once. */
export async function buildTemporal(folder: string, version: string, say: Say): Promise<Outcome> {
  const go = findProgram(['go'], usualFolders);
  if (!go) return { ok: false, output: 'Go is not installed' };
  mkdirSync(folder, { recursive: true });
  const source = `github.com/temporalio/cli/cmd/temporal@v${version}`;
  const env = { ...process.env, GOBIN: folder, ...(isWritable(homedir()) ? {} : ownGoFolders(folder)) };
  const build = () => runProgram(go, ['install', source], { env, cwd: folder, timeoutMs: 45 * 60_000 });
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
