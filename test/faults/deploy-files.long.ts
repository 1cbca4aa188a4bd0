import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../', import.meta.url));
const units = ['job-gateway-api@.service', 'job-gateway-worker@.service', 'job-gateway-migrate.service'];

test.each([
  ['haproxy', ['-c', '-f', 'deploy/haproxy.cfg']],
  ['nginx', ['-t', '-c', join(project, 'deploy/nginx.conf')]],
  ['promtool', ['check', 'config', 'deploy/monitoring/prometheus.yml']],
])('%s accepts the file of deploy/ (%j)', async (program, args) => {
  await run(program, args, { cwd: project });
});

test.each(units)('systemd accepts the unit %s, whose program exists', async (unit) => {
  const folder = mkdtempSync(join(tmpdir(), 'job-gateway-units-'));
  const file = join(folder, basename(unit));
  const text = readFileSync(join(project, 'deploy/systemd', unit), 'utf8');
  writeFileSync(file, text.replaceAll('/opt/job-gateway', project.replace(/\/$/, '')));

  const { stderr } = await run('systemd-analyze', ['verify', file]);

  expect(stderr.split('\n').filter((line) => line.includes('job-gateway'))).toEqual([]);
  rmSync(folder, { recursive: true });
});
