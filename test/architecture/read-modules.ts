import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One source file. Imports are paths from the project's folder or names of packages. */
export type Module = {
  path: string;
  /** What it imports by value. */
  imports: string[];
  /** What it imports by value or for types. */
  importsWithTypes: string[];
  source: string;
};

const project = fileURLToPath(new URL('../../', import.meta.url));
const files =
  '{src,workflows,activities,tools,migrations,test,bench,scripts,console/build,console/src,clients/typescript/src}/**/*.{ts,tsx}';
const importClause =
  /^(?:import\s*|(?:import|export)\s[\w\s$*{},]*?\bfrom\s*)['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Node's type stripping removes imports of types, which are no dependencies at run time. dependency-cruiser reports them as such. */
export function readModules(): Module[] {
  const found = globSync(files, { cwd: project, exclude: ['**/node_modules'] });
  return found.map((file) => {
    const path = file.replaceAll('\\', '/');
    const typed = readFileSync(`${project}/${path}`, 'utf8');
    const source = path.endsWith('.tsx') ? withoutTypeImports(typed) : stripTypeScriptTypes(typed);
    return { path, source, imports: importsOf(path, source), importsWithTypes: importsOf(path, typed) };
  });
}

/** Node strips no types from files with markup. Their imports are all that is read of them. */
const withoutTypeImports = (source: string): string => source.replaceAll(/^import type [^;]*;$/gm, '');

const importsOf = (path: string, source: string): string[] =>
  [...source.matchAll(importClause)].map((match) => resolve(path, match[1] ?? match[2] ?? ''));

const resolve = (path: string, name: string): string =>
  name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
