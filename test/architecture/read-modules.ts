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
const folders = '{src,workflows,activities,tools,migrations,test,bench,scripts}';
const importClause =
  /^(?:import\s*|(?:import|export)\s[\w\s$*{},]*?\bfrom\s*)['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Node's type stripping removes imports of types, which are no dependencies at run time. */
export function readModules(): Module[] {
  const files = globSync(`${folders}/**/*.ts`, { cwd: project, exclude: ['**/node_modules'] });
  return files.map((file) => {
    const path = file.replaceAll('\\', '/');
    const typed = readFileSync(`${project}/${path}`, 'utf8');
    const source = stripTypeScriptTypes(typed);
    return { path, source, imports: importsOf(path, source), importsWithTypes: importsOf(path, typed) };
  });
}

const importsOf = (path: string, source: string): string[] =>
  [...source.matchAll(importClause)].map((match) => resolve(path, match[1] ?? match[2] ?? ''));

const resolve = (path: string, name: string): string =>
  name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
