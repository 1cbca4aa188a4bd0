import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EnvHttpProxyAgent, request } from 'undici';
import { type Say, sayWhileWaiting } from '../../say.ts';
import { type Outcome, runProgram } from '../run-program.ts';

/** Long enough for a slow line; without internet the next way must not be kept waiting. */
const answerWithinMs = 5_000;

/** The official archive, unpacked into the folder. */
export async function downloadTemporal(folder: string, version: string, say: Say): Promise<Outcome> {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const url = `https://temporal.download/cli/archive/v${version}?platform=${process.platform}&arch=${architecture}`;
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    await sayWhileWaiting(say, `downloading Temporal ${version}`, () => save(url, join(draft, 'archive')));
    const unpacked = await runProgram('tar', ['-xzf', 'archive'], { cwd: draft, timeoutMs: 60_000 });
    if (!unpacked.ok) return unpacked;
    mkdirSync(folder, { recursive: true });
    renameSync(join(draft, 'temporal'), join(folder, 'temporal'));
    return { ok: true, output: '' };
  } catch (error) {
    return { ok: false, output: `${url}: ${reason(error)}` };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function save(address: string, file: string): Promise<void> {
  const dispatcher = new EnvHttpProxyAgent({
    connectTimeout: answerWithinMs,
    headersTimeout: 15_000,
    bodyTimeout: 30_000,
  });
  try {
    let url = address;
    for (let redirects = 0; redirects < 5; redirects += 1) {
      const { statusCode, headers, body } = await request(url, { dispatcher, signal: AbortSignal.timeout(300_000) });
      if (statusCode === 200) return writeFileSync(file, Buffer.from(await body.arrayBuffer()));
      await body.dump();
      if (statusCode < 300 || statusCode > 399) throw new Error(`status ${statusCode}`);
      url = new URL(String(headers.location), url).href;
    }
    throw new Error('too many redirects');
  } finally {
    await dispatcher.destroy();
  }
}

const reason = (error: unknown): string => {
  const { message, code } = error as Error & { code?: string };
  return message || code || 'no answer';
};
