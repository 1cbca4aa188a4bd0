import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chat } from './client.ts';

test('the simulator as a process prints one line when it is ready, and exits 0 on SIGTERM during a stream', async () => {
  const child = spawn(process.execPath, ['tools/simulator/main.ts'], {
    env: { PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(output, 'line');
  const { listening: url } = JSON.parse(lines[0] ?? '');
  expect((await chat({ url }, 'sim-ok')).status).toBe(200);
  const hanging = chat({ url }, 'sim-stream-stall-1', { stream: true }).catch(() => 'cut');

  child.kill('SIGTERM');

  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(await hanging).toBe('cut');
  expect(lines).toHaveLength(1);
});
