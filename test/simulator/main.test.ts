import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chat } from './ask.ts';

test('as a process: one line when it is ready, a clean end on SIGTERM with a stream under way', async () => {
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
