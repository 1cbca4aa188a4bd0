import fc from 'fast-check';
import { readSse, type SseEvent } from '../../src/upstream/answer/read-sse.ts';

async function* pieces(...all: (string | Uint8Array)[]) {
  for (const piece of all) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

async function* decoded(body: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const bytes of body) yield decoder.decode(bytes, { stream: true });
}

async function allOf(body: AsyncIterable<Uint8Array>): Promise<SseEvent[]> {
  const all: SseEvent[] = [];
  for await (const event of readSse(decoded(body))) all.push(event);
  return all;
}

/** The data of the events that a blank line completes. */
async function eventsOf(body: AsyncIterable<Uint8Array>): Promise<string[]> {
  return (await allOf(body)).filter(({ isCut }) => !isCut).map(({ data }) => data);
}

test.each([
  ['lines that end with LF', 'data: one\n\ndata: two\n\n', ['one', 'two']],
  ['lines that end with CRLF', 'data: one\r\n\r\ndata: two\r\n\r\n', ['one', 'two']],
  ['lines that end with CR', 'data: one\r\rdata: two\r\r', ['one', 'two']],
  ['data without a space after the colon', 'data:one\n\n', ['one']],
  ['data with two spaces after the colon, of which one is removed', 'data:  one\n\n', [' one']],
  ['an event of two data lines, which are joined', 'data: one\ndata: two\n\n', ['one\ntwo']],
  [
    'comments, other fields and unknown fields',
    ': hello\n\nid: 7\nevent: x\nretry: 5\ndata: one\nnonsense\n\n',
    ['one'],
  ],
  ['blank lines without an event', '\n\n\ndata: one\n\n\n\n', ['one']],
  ['a byte order mark at the beginning', '\ufeffdata: one\n\n', ['one']],
  ['an event at the end that no blank line completes', 'data: one\n\ndata: two\n', ['one']],
  ['a line at the end that is not complete', 'data: one\n\ndata: tw', ['one']],
  ['no bytes', '', []],
])('a stream with %s gives the events of the standard', async (_, text, events) => {
  expect(await eventsOf(pieces(text))).toEqual(events);
});

test.each([
  ['one line end', 'data: one\n\ndata: two\n', 'two'],
  ['no line end', 'data: one\n\ndata: tw', 'tw'],
  ['a carriage return', 'data: one\n\ndata: two\r', 'two'],
])('the last event of a stream that ends with %s after it is marked as cut', async (_, text, last) => {
  expect(await allOf(pieces(text))).toMatchObject([
    { data: 'one', isCut: false },
    { data: last, isCut: true },
  ]);
});

test('an event has its type', async () => {
  expect(await allOf(pieces('event: error\ndata: one\n\ndata: two\n\n'))).toMatchObject([
    { type: 'error', data: 'one' },
    { type: '', data: 'two' },
  ]);
});

const stream = 'data: {"a":"ü€😀"}\r\n\r\n: still here\n\nid: 1\ndata: {"b":\r\ndata: 2}\r\n\r\ndata: [DONE]\r\r';
const events = ['{"a":"ü€😀"}', '{"b":\n2}', '[DONE]'];

test('a stream that is split in two at any byte gives the same events', async () => {
  const bytes = Buffer.from(stream);
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(await eventsOf(pieces(bytes.subarray(0, at), bytes.subarray(at)))).toEqual(events);
  }
});

test('a stream that is split at any bytes gives the same events', async () => {
  const bytes = Buffer.from(stream);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 30 }), async (cuts) => {
      const positions = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
      const parts = positions.slice(1).map((end, index) => bytes.subarray(positions[index], end));
      expect(await eventsOf(pieces(...parts))).toEqual(events);
    }),
  );
});

test('a stream that is cut after any byte gives the first events of the whole stream', async () => {
  const bytes = Buffer.from(stream);
  for (let at = 0; at <= bytes.length; at += 1) {
    const received = await eventsOf(pieces(bytes.subarray(0, at)));
    expect(events.slice(0, received.length)).toEqual(received);
  }
});

test('any data arrives unchanged with any line ends and split into pieces of any size', async () => {
  const framing = fc.record({
    data: fc.array(fc.string({ unit: 'binary' }).filter((text) => !/[\r\n]/.test(text))),
    newline: fc.constantFrom('\n', '\r\n', '\r'),
    size: fc.integer({ min: 1, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(framing, async ({ data, newline, size }) => {
      const bytes = Buffer.from(data.map((text) => `data: ${text}${newline}${newline}`).join(''));
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(await eventsOf(pieces(...parts))).toEqual(data);
    }),
  );
});

test('reading a line in small pieces takes time in proportion to its length', async () => {
  /** In microseconds of the processor, which do not depend on what else the machine does. */
  const timeOf = async (length: number): Promise<number> => {
    const bytes = Buffer.from(`data: ${'x'.repeat(length)}\n\n`);
    const before = process.cpuUsage();
    const [event] = await eventsOf(
      (async function* () {
        for (let at = 0; at < bytes.length; at += 4_096) yield bytes.subarray(at, at + 4_096);
      })(),
    );
    expect(event).toHaveLength(length);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  /** The best of five, because memory may be collected meanwhile. */
  const bestOf = async (length: number): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) times.push(await timeOf(length));
    return Math.min(...times);
  };

  const [one, ten] = [await bestOf(1_048_576), await bestOf(10 * 1_048_576)];

  // Ten times the length. With quadratic time it would be a hundred times.
  expect(ten).toBeLessThan(one * 40);
});

test.each([
  ['a line', 'x'.repeat(1_048_576)],
  ['an event', `data: ${'x'.repeat(1_048_576)}\n`],
])('%s without an end fails as unreadable', async (_, piece) => {
  const endless = (async function* () {
    for (;;) yield Buffer.from(piece);
  })();

  await expect(eventsOf(endless)).rejects.toMatchObject({ message: 'the upstream sent an unreadable answer' });
});
