import { createLog } from '../src/log.ts';

function logged(
  fields: object,
): Record<string, { message: string; command?: unknown; detail?: unknown; code?: string }> {
  const lines: string[] = [];
  createLog('info', 'test', { write: (line) => void lines.push(line) }).warn(fields, 'said');
  return JSON.parse(lines[0]!);
}

test.each(['err', 'error'])(
  'of an error as `%s` its words and its place are said, and nothing that hangs on it',
  (name) => {
    const error = Object.assign(new Error('WRONGPASS', { cause: new Error('why') }), {
      code: 'E1',
      command: { name: 'hello', args: ['3', 'AUTH', 'default', 'secret'] },
      detail: "somebody's values",
    });

    const { [name]: told } = logged({ [name]: error });

    expect(told).toEqual({
      type: 'Error',
      code: 'E1',
      message: 'WRONGPASS: why',
      stack: expect.stringContaining('log.test'),
    });
  },
);
