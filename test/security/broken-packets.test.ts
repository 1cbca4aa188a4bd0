import { figures, percentile } from '../faults/support/figures.ts';
import { sendRaw } from '../support/raw.ts';
import { sendRequest } from '../support/send-request.ts';
import { isFull } from '../support/sizes.ts';
import { installationForTests } from './support/installation.ts';
import { openSocket } from './support/sockets.ts';

const installation = installationForTests({ worker: false });

const size = 16_000;
const packets: Record<string, string> = {
  'blanks in X-Request-Id': `FOO / HTTP/1.1\r\nX-Request-Id:${' '.repeat(size)}x`,
  'tabs and blanks in X-Request-Id': `FOO / HTTP/1.1\r\nX-Request-Id:${' \t'.repeat(size / 2)}x\r\n\r\n`,
  'blanks after a request id': `FOO / HTTP/1.1\r\nX-Request-Id: a${' '.repeat(size)}\u00ff`,
  'a thousand X-Request-Id lines without an end': `FOO / HTTP/1.1${'\r\nX-Request-Id:  '.repeat(size / 17)}`,
  'a request line of blanks': `FOO${' '.repeat(size)}/ HTTP/1.1`,
  'a method of 16 KB': `${'F'.repeat(size)} / HTTP/1.1\r\n`,
  'line feeds alone': `FOO / HTTP/1.1\n${'\n'.repeat(size)}`,
};

test.each(Object.entries(packets))('/health is answered 200 while packets with %s arrive', async (name, packet) => {
  const { url } = installation.current;
  const times: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    const socket = await openSocket({ url });
    socket.resume().write(packet, 'latin1');
    const startedAt = performance.now();
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(10_000) });
    times.push(performance.now() - startedAt);
    expect(answer.status).toBe(200);
    socket.destroy();
  }

  figures('broken packets', { [`/health beside ${name}, p50, max`]: ms(percentile(times, 0.5), Math.max(...times)) });
  if (isFull) expect(percentile(times, 0.5)).toBeLessThan(100);
});

test('a request with an unknown method and blanks around its X-Request-Id is answered 405 with this id', async () => {
  const { url } = installation.current;

  const { received } = await sendRaw(url, 'FOO / HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: \t my-own-id \t\r\n\r\n');

  expect(received).toMatch(/^HTTP\/1\.1 405 /);
  expect(received).toMatch(/^X-Request-Id: my-own-id\r$/im);
  expect((await sendRequest(url, 'get', '/health')).status).toBe(200);
});

const ms = (...values: number[]) => `${values.map(Math.round).join(', ')} ms`;
