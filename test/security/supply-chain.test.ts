import { globSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

test('every downloaded package of the lock file has an integrity', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { link?: boolean; integrity?: string }>;
  };

  const without = Object.entries(packages).filter(([path, { link, integrity }]) => path && !link && !integrity);

  expect(without.map(([path]) => path)).toEqual([]);
});

test('package.json disables the reporting of installations', () => {
  expect(JSON.parse(read('package.json')).scarfSettings).toMatchObject({ enabled: false });
});

test.each(['Dockerfile', 'docker-compose.yml'])('every image in %s has a digest or an exact version', (file) => {
  const stages = [...read(file).matchAll(/ AS ([\w-]+)/g)].map(([, stage]) => stage);
  const images = [...read(file).matchAll(/^\s*(?:FROM|image:) +(\S+)/gm)].map(([, image]) => image!);
  const foreign = images.filter((image) => !stages.includes(image) && !image.startsWith('job-gateway:'));

  expect(foreign).not.toEqual([]);
  expect(
    foreign.filter((image) => !/(@sha256:[\da-f]{64}|:[^:]*\b\d+\.\d+(\.\d+)?(-[a-z]+)?\}?)$/.test(image)),
  ).toEqual([]);
});

test('the archives of Temporal have a checksum for each of four platforms', () => {
  const sources = globSync('{src,tools}/dev/**/temporal/**/*.ts', { cwd: root }).map((file) => read(String(file)));

  expect(new Set(sources.join().match(/\b[\da-f]{64}\b/g)).size).toBeGreaterThanOrEqual(4);
});

test('the check of CI includes the audit of packages for known vulnerabilities', () => {
  expect(read('.ci/run')).toContain('npm run check');
  expect(read('scripts/check.ts')).toContain('scripts/audit-packages.ts');
});
