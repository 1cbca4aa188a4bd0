import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['package-lock.json', 'console/{index.html,tsconfig.json}', 'console/{src,build,public}/**/*.*'];

/** Changes with every file that the console is built from. */
export function consoleVersion(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: project }).sort())
    hash.update(file).update(readFileSync(join(project, file)));
  return hash.digest('hex').slice(0, 16);
}

export function consoleIsBuilt(version: string): boolean {
  try {
    const build = JSON.parse(readFileSync(join(project, 'console/dist/build.json'), 'utf8')) as { version: string };
    return build.version === version;
  } catch {
    return false;
  }
}
