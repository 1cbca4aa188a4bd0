import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StaticFile, staticFile } from '../static-file.ts';

/** The folder into which `npm run build:console` writes. */
export const consoleFolder = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** The build of the console, in memory: its page, and its other files by their path in the folder. */
export interface ConsoleBuild {
  page: string;
  files: ReadonlyMap<string, StaticFile>;
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

function readFile(folder: string, name: string): StaticFile {
  const file = join(folder, name);
  const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path) : undefined);
  return staticFile(extname(name), readFileSync(file), {
    gzip: readIfThere(`${file}.gz`),
    br: readIfThere(`${file}.br`),
  });
}
