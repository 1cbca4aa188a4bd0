import { execFileSync } from 'node:child_process';
import { curlLine } from '../../../console/src/format/curl.ts';

/** The arguments that a shell gives to curl for the line. */
const argumentsOf = (line: string): string[] => {
  const script = line.replace(/^curl/, `for each in`).replaceAll('\\\n', ' ');
  const run = `${script}; do printf '%s\\0' "$each"; done`;
  return execFileSync('sh', ['-c', run], {
    env: { API_KEY: 'the key', VIRTUAL_KEY: 'another', MASTER_KEY: 'the platform key' },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);
};

test('a request as a curl line reaches the shell with its address whole and the key of the variable', () => {
  const url = 'http://localhost:8080/prefix/api/jobs/1/calls/2?include=request,response&max_bytes=1';

  const line = curlLine({ url, keyName: 'API_KEY' });

  expect(argumentsOf(line)).toEqual([url, '-H', 'Authorization: Bearer the key']);
  expect(line).not.toContain('the key');
});

test('a key that the page shows is in its curl line as it is, and the platform key only by its variable and in its own header (spec 20.10)', () => {
  const withKey = curlLine({ url: 'http://localhost/', key: `sk-it's"$HOME"` });
  const withMasterKey = curlLine({ url: 'http://localhost/', keyName: 'MASTER_KEY' });

  expect(argumentsOf(withKey).at(-1)).toBe(`Authorization: Bearer sk-it's"$HOME"`);
  expect(argumentsOf(withMasterKey).at(-1)).toBe('X-Admin-Key: the platform key');
  expect(withMasterKey).not.toContain('the platform key');
});

test('a body in a curl line reaches the shell as it is, with quotes, variables, back quotes and line ends', () => {
  const body = { content: `it's "$HOME" and \`id\`, a\nb \\ c`, model: '\u{1F600}' };

  const line = curlLine({ url: 'http://localhost/v1/chat/completions', keyName: 'VIRTUAL_KEY', body });

  const given = argumentsOf(line);
  expect(given.slice(0, 5)).toEqual([
    'http://localhost/v1/chat/completions',
    '-H',
    'Authorization: Bearer another',
    '-H',
    'Content-Type: application/json',
  ]);
  expect(JSON.parse(given.at(-1)!)).toEqual(body);
});
