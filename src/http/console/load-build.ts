import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm run build:console` writes. */
export const consoleFolder = fileURLToPath(new URL('../../../console/dist', import.meta.url));

export interface ConsoleFile {
  type: string;
  etag: string;
  /** By content coding. `identity` is always there, the others where the build has written them. */
  contents: { identity: Buffer; gzip?: Buffer; br?: Buffer };
}

/** The build of the console, in memory: its page, and its other files by their path in the folder. */
export interface ConsoleBuild {
  page: string;
  files: ReadonlyMap<string, ConsoleFile>;
}

const pageName = 'index.html';
const compressed = /\.(br|gz)$/;

/** Undefined where the console is not built. */
export function loadConsoleBuild(folder: string): ConsoleBuild | undefined {
  if (!existsSync(join(folder, pageName))) return undefined;
  const names = globSync('**/*.*', { cwd: folder }).map((name) => name.replaceAll('\\', '/'));
  const served = names.filter((name) => name !== pageName && name !== 'build.json' && !compressed.test(name));
  return {
    page: readFileSync(join(folder, pageName), 'utf8'),
    files: new Map(served.map((name) => [name, readFile(folder, name)])),
  };
}

function readFile(folder: string, name: string): ConsoleFile {
  const file = join(folder, name);
  const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path) : undefined);
  const identity = readFileSync(file);
  return {
    type: extname(name),
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    contents: { identity, gzip: readIfThere(`${file}.gz`), br: readIfThere(`${file}.br`) },
  };
}
