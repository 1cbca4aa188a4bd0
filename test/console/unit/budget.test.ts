import { budget, firstLoads, type Manifest, overBudget } from '../../../console/build/budget.ts';

const manifest: Manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['shared'], css: ['index.css'], assets: ['font.woff2'] },
  shared: { file: 'shared.js' },
  'src/pages/jobs/list/jobs-page.tsx': {
    file: 'jobs.js',
    imports: ['index.html', 'shared', 'table'],
    css: ['jobs.css'],
  },
  table: { file: 'table.js', dynamicImports: ['chart.tsx'] },
  'chart.tsx': { file: 'chart.js' },
};

const loadsWith = (sizes: Record<string, number>) => firstLoads(manifest, (file) => sizes[file] ?? 0);

test('the first load of a page has its own files, those of the entry and of all that they import, each once', () => {
  const sizes = {
    'index.html': 1,
    'index.js': 10,
    'shared.js': 100,
    'jobs.js': 1_000,
    'table.js': 10_000,
    'chart.js': 5,
  };

  const loads = loadsWith({ ...sizes, 'index.css': 2, 'jobs.css': 3, 'font.woff2': 4 });

  expect(loads).toEqual([
    { page: 'index.html', script: 110, total: 117 },
    { page: 'src/pages/jobs/list/jobs-page.tsx', script: 11_110, total: 11_120 },
  ]);
});

test('a page whose scripts or whose whole first load is over the budget is named (spec 20.5)', () => {
  const onScript = overBudget(loadsWith({ 'jobs.js': budget.script + 1 }));
  const onTotal = overBudget(loadsWith({ 'jobs.css': budget.total + 1 }));
  const within = overBudget(loadsWith({ 'jobs.js': budget.script, 'jobs.css': budget.total - budget.script }));

  expect(onScript).toEqual([expect.stringContaining('src/pages/jobs/list/jobs-page.tsx: 150.0 KiB of script')]);
  expect(onTotal).toHaveLength(1);
  expect(within).toEqual([]);
});
