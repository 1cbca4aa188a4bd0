import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLog } from '../src/log.ts';

function logged(
  fields: object,
): Record<string, { message: string; command?: unknown; detail?: unknown; code?: string }> {
  const lines: string[] = [];
  createLog('info', 'test', { write: (line) => void lines.push(line) }).warn(fields, 'a message');
  return JSON.parse(lines[0]!);
}

test.each(['err', 'error'])(
  'an error in the field `%s` is logged with type, code, message and stack, and without its other properties',
  (name) => {
    const error = Object.assign(new Error('WRONGPASS', { cause: new Error('why') }), {
      code: 'E1',
      command: { name: 'hello', args: ['3', 'AUTH', 'default', 'secret'] },
      detail: "a row's values",
    });

    const { [name]: serialized } = logged({ [name]: error });

    expect(serialized).toEqual({
      type: 'Error',
      code: 'E1',
      message: 'WRONGPASS: why',
      stack: expect.stringContaining('log.test'),
    });
  },
);

test('a log that cannot be written neither ends nor blocks its process', () => {
  const log = fileURLToPath(new URL('../src/log.ts', import.meta.url));
  const script = `
    const { createLog } = await import(${JSON.stringify(log)});
    const log = createLog('info', 'test');
    for (let line = 0; line < 1_000; line += 1) log.info('x'.repeat(100));
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.exit(7);`;

  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
    timeout: 20_000,
  });

  expect({ status, stderr }).toEqual({ status: 7, stderr: '' });
});
