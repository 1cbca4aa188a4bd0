import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRecorded, ProcessRecord } from '../../tools/dev/processes/process-record.ts';
import type { Launch } from '../../tools/dev/processes/start-process.ts';

export type Workspace = { folder: string; record: ProcessRecord; logFile: (name: string) => string };

const workspaces: Workspace[] = [];

/** A temporary folder with a process record. `removeWorkspaces` ends the processes that a test left running in it. */
export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-dev-'));
  const workspace = { folder, record: new ProcessRecord(join(folder, 'processes.json')), logFile: logIn(folder) };
  workspaces.push(workspace);
  return workspace;
}

export async function removeWorkspaces(): Promise<void> {
  for (const { record, folder } of workspaces.splice(0)) {
    record.closed = true;
    await endRecorded(record.file);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A program that logs "ready" and keeps running. On SIGTERM it logs the time, and exits by default. */
export function createLaunch(workspace: Workspace, { name = 'api', onSigterm = 'process.exit(0)' } = {}): Launch {
  const program = `process.on('SIGTERM', () => { console.log(Date.now()); ${onSigterm} });
    setInterval(() => {}, 1_000); console.log('ready');`;
  return {
    name,
    command: process.execPath,
    args: ['-e', program],
    ready: async () => readFileSync(workspace.logFile(name), 'utf8').includes('ready'),
  };
}

const logIn = (folder: string) => (name: string) => join(folder, `${name}.log`);
