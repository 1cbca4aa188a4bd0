import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const project = fileURLToPath(new URL('../../', import.meta.url));

interface Copy {
  /** A stage, or nothing: the folder of the project. */
  from: string | undefined;
  sources: string[];
  to: string;
}

interface Stage {
  base: string;
  copies: Copy[];
  /** The command lines of `RUN`. */
  runs: string[];
}

/** The stages of the Dockerfile by name; the last one is `final`. */
export function readStages(): Map<string, Stage> {
  const lines = readFileSync(join(project, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ').split('\n');
  const stages = new Map<string, Stage>();
  let current: Stage | undefined;
  for (const line of lines) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'FROM') {
      current = { base: rest[0]!, copies: [], runs: [] };
      stages.set(rest[2] ?? 'final', current);
    } else if (word === 'COPY') {
      const from = rest[0]!.startsWith('--from=') ? rest.shift()!.slice('--from='.length) : undefined;
      current!.copies.push({ from, sources: rest.slice(0, -1), to: rest.at(-1)! });
    } else if (word === 'RUN') current!.runs.push(rest.join(' '));
  }
  return stages;
}

/** Whether the builder sends a path: the last line of .dockerignore that fits it counts. */
function isSent(path: string): boolean {
  let sent = true;
  for (const line of readFileSync(join(project, '.dockerignore'), 'utf8').split('\n').filter(Boolean)) {
    const keeps = line.startsWith('!');
    const pattern = line.replace(/^!/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*');
    if (new RegExp(`^${pattern}(/.*)?$`).test(path)) sent = keeps;
  }
  return sent;
}

/** Where a line of a stage copies from: the folder of another stage, or the project, of which the builder sends only a part. */
function originOf(from: string | undefined, source: string, built: Record<string, string>): string | undefined {
  if (from !== undefined) return built[from] && join(built[from], source.replace('/app/', ''));
  if (!isSent(source)) throw new Error(`COPY ${source}: .dockerignore keeps it out`);
  return join(project, source);
}

/** Copies what the lines of a stage name, and nothing else, into `folder`, which is `/app` there. `built`: the folders of other stages. */
export function copyStage({ copies }: Stage, folder: string, built: Record<string, string> = {}): void {
  const lines = copies.flatMap(({ from, sources, to }) => sources.map((source) => ({ from, source, to })));
  for (const { from, source, to } of lines) {
    const origin = originOf(from, source, built);
    if (origin === undefined) continue;
    if (!existsSync(origin)) throw new Error(`COPY ${source}: there is no such file`);
    const target = join(folder, /(^\.|\/)$/.test(to) ? join(to, source.split('/').at(-1)!) : to);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(origin, target, {
      recursive: true,
      filter: (path) => from !== undefined || isSent(path.slice(project.length)),
    });
  }
}

const isOmitted = ({ dev, optional, devOptional }: Record<string, boolean>) => dev || optional || devOptional;

/** The packages, each a link: all of them, or those that `npm prune --omit=dev --omit=optional` leaves. */
export function linkPackages(folder: string, kind: 'all' | 'production'): void {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));
  const linked = join(folder, 'node_modules');
  mkdirSync(linked);
  for (const path of Object.keys(packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (!name || !existsSync(join(project, path)) || (kind === 'production' && isOmitted(packages[path]))) continue;
    mkdirSync(dirname(join(linked, name)), { recursive: true });
    symlinkSync(join(project, path), join(linked, name));
  }
  if (kind === 'all' && readdirSync(linked).length === 0) throw new Error('no packages are installed');
}
