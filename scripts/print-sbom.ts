import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm run sbom`: the packages of the image as CycloneDX, which are those that `npm prune --omit=dev --omit=optional` leaves. `npm sbom` with the same options
 * lists fewer: it omits what an optional package needs too.
 */
const cwd = fileURLToPath(new URL('..', import.meta.url));
const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const listed = JSON.parse(execFileSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1_048_576 }));
const { name, packages } = JSON.parse(readFileSync(`${cwd}/package-lock.json`, 'utf8'));

interface Locked {
  name?: string;
  version: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

const inImage = new Set(
  Object.entries(packages as Record<string, Locked>)
    .filter(([, { dev, optional, devOptional }]) => !(dev || optional || devOptional))
    .map(([path, one]) => `${one.name ?? path.split('node_modules/').at(-1)}@${one.version}`),
);
const own = listed.metadata.component['bom-ref'];
const isKept = (reference: string): boolean => reference === own || inImage.has(reference.split('|')[0]!);

// npm takes the name of the folder.
listed.metadata.component.name = name;
listed.components = listed.components.filter((one: { name: string; version: string }) =>
  inImage.has(`${one.name}@${one.version}`),
);
listed.dependencies = listed.dependencies
  .filter(({ ref }: { ref: string }) => isKept(ref))
  .map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => ({ ref, dependsOn: dependsOn.filter(isKept) }));
console.log(JSON.stringify(listed, undefined, 2));
