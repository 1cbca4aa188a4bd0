import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Of Vite's `manifest.json`: what a chunk is and what it needs. */
export interface Chunk {
  file: string;
  isEntry?: boolean;
  /** Chunks that are loaded before this one runs. */
  imports?: string[];
  /** Chunks that it may load later, such as pages. */
  dynamicImports?: string[];
  css?: string[];
  assets?: string[];
}
export type Manifest = Record<string, Chunk>;

/** What a browser without a cache loads for a page, in bytes as sent. */
export interface FirstLoad {
  page: string;
  script: number;
  total: number;
}

const kib = 1_024;
/** `spec 20.5` */
export const budget = { script: 150 * kib, total: 250 * kib };

/** What a page loads later, such as a chart below its figures, is not part of its first load. */
const isPage = (name: string): boolean => name.endsWith('-page.tsx');

/** The first load of each page: the entry and the page with all that they import, their styles, and the fonts. */
export function firstLoads(manifest: Manifest, sizeOf: (file: string) => number): FirstLoad[] {
  const entry = Object.keys(manifest).find((name) => manifest[name]!.isEntry);
  if (!entry) throw new Error('The build has no entry');
  const pages = Object.keys(manifest).filter((name) => isPage(name) && !manifest[name]!.isEntry);
  return [entry, ...pages].map((page) => {
    const files = collectFiles(manifest, [entry, page]);
    const sizes = files.map((file) => ({ file, size: sizeOf(file) }));
    const sum = (some: typeof sizes) => some.reduce((total, { size }) => total + size, 0);
    return {
      page,
      script: sum(sizes.filter(({ file }) => file.endsWith('.js'))),
      total: sum(sizes) + sizeOf('index.html'),
    };
  });
}

function collectFiles(manifest: Manifest, names: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    manifest[name]?.imports?.forEach(visit);
  };
  names.forEach(visit);
  const chunks = [...seen].flatMap((name) => manifest[name] ?? []);
  return [...new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]))];
}

/** A line for each page that is over the budget. */
export const overBudget = (loads: readonly FirstLoad[]): string[] =>
  loads
    .filter(({ script, total }) => script > budget.script || total > budget.total)
    .map(
      ({ page, script, total }) =>
        `${page}: ${inKib(script)} of script (at most ${inKib(budget.script)}), ${inKib(total)} in all (at most ${inKib(budget.total)})`,
    );

export const inKib = (bytes: number): string => `${(bytes / kib).toFixed(1)} KiB`;

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
}

/** As a browser that takes Brotli is sent it. */
export const sizeInFolder =
  (folder: string) =>
  (file: string): number => {
    const path = join(folder, file);
    return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
  };
