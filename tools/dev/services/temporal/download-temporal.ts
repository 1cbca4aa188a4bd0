import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { type Print, printWhileRunning } from '../../print.ts';
import { type Outcome, runProgram } from '../run-program.ts';
import { type Archive, archiveFor, temporalVersion, verifyArchive } from './release.ts';

/** A slow connection needs so long; without internet the next source must not wait long. */
const connectTimeoutMs = 5_000;

/** An archive has about 50 MB. */
const maxArchiveBytes = 200 * 1_048_576;

/** Downloads the official archive and unpacks it into the folder, if its checksum is the known one. */
export async function downloadTemporal(folder: string, print: Print): Promise<Outcome> {
  const archive = archiveFor(process.platform, process.arch);
  if (!archive) return { ok: false, output: `no archive is known for ${process.platform}-${process.arch}` };
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    const fetched = () => fetchArchive(archive.url);
    const bytes = await printWhileRunning(print, `downloading Temporal ${temporalVersion}`, fetched);
    const unpacked = await unpackArchive(bytes, archive, draft);
    if (!unpacked.ok) return unpacked;
    mkdirSync(folder, { recursive: true });
    renameSync(join(draft, 'temporal'), join(folder, 'temporal'));
    return { ok: true, output: '' };
  } catch (error) {
    return { ok: false, output: `${archive.url}: ${reason(error)}` };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Throws before anything is written when the checksum differs. */
export async function unpackArchive(bytes: Uint8Array, archive: Archive, folder: string): Promise<Outcome> {
  verifyArchive(bytes, archive);
  writeFileSync(join(folder, 'archive'), bytes);
  return runProgram('tar', ['-xzf', 'archive', 'temporal'], { cwd: folder, timeoutMs: 60_000 });
}

async function fetchArchive(address: string): Promise<Uint8Array> {
  const dispatcher = new EnvHttpProxyAgent({
    connectTimeout: connectTimeoutMs,
    headersTimeout: 15_000,
    bodyTimeout: 30_000,
    maxResponseSize: maxArchiveBytes,
  });
  try {
    return await fetchSecurely(address, dispatcher);
  } finally {
    await dispatcher.destroy();
  }
}

/** Follows redirects to `https:` only. */
export async function fetchSecurely(address: string, dispatcher: Dispatcher): Promise<Uint8Array> {
  let url = address;
  for (let redirects = 0; redirects < 5; redirects += 1) {
    if (new URL(url).protocol !== 'https:') throw new Error(`${new URL(url).origin} is not https`);
    const { statusCode, headers, body } = await request(url, { dispatcher, signal: AbortSignal.timeout(300_000) });
    if (statusCode === 200) return new Uint8Array(await body.arrayBuffer());
    await body.dump();
    if (statusCode < 300 || statusCode > 399) throw new Error(`status ${statusCode}`);
    url = new URL(String(headers.location), url).href;
  }
  throw new Error('too many redirects');
}

const reason = (error: unknown): string => {
  const { message, code } = error as Error & { code?: string };
  return message || code || 'no answer';
};
