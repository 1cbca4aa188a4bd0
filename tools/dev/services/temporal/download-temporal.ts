import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Print, printWhileRunning } from '../../print.ts';
import type { Outcome } from '../run-program.ts';
import { type Source, sources } from './fetch-program.ts';
import { withDownloads } from './fetch-securely.ts';
import { type Build, buildFor, temporalVersion, verifyProgram } from './release.ts';

/** Downloads the official program into the folder from the first source that has it. It is written only if its checksum is the known one. */
export async function downloadTemporal(
  folder: string,
  print: Print,
  build: Build | undefined = buildFor(process.platform, process.arch),
  from: Source[] = sources(folder),
): Promise<Outcome> {
  if (!build) return { ok: false, output: `no build is known for ${process.platform}-${process.arch}` };
  mkdirSync(folder, { recursive: true });
  const problems: string[] = [];
  for (const source of from) {
    try {
      const fetch = () => withDownloads((dispatcher) => source.fetch(build, dispatcher));
      const name = `downloading Temporal ${temporalVersion} (45 MB) from ${source.name}`;
      const program = await printWhileRunning(print, name, fetch);
      verifyProgram(program, build);
      const draft = join(folder, `draft.${process.pid}`);
      writeFileSync(draft, program, { mode: 0o755 });
      renameSync(draft, join(folder, 'temporal'));
      return { ok: true, output: '' };
    } catch (error) {
      problems.push(`from ${source.name}: ${reason(error)}`);
    }
  }
  return { ok: false, output: problems.join('\n    ') };
}

const reason = (error: unknown): string => {
  const { message, code } = error as Error & { code?: string };
  return message || code || 'no answer';
};
