import { delta, event, finish, rawAnswersForTests } from '../upstream/raw-answers.ts';

const { upstream, request } = rawAnswersForTests();

const source = { type: 'url_citation', url_citation: { url: 'https://rivers.example' } };
const pieces = (count: number, one: (index: number) => object): string =>
  Array.from({ length: count }, (_, index) => event(one(index))).join('');
const inOne = (count: number, one: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => one(index));
const toolPiece = { index: 0, function: { arguments: 'x' } };

/** Answers whose length grows in one thing. */
const answers: [string, (count: number) => string][] = [
  [
    'choices of one chunk',
    (count) => event({ choices: inOne(count, (index) => ({ index, delta: { content: 'a' } })) }),
  ],
  [
    'tool calls in choices of one chunk',
    (count) => event({ choices: inOne(count, (index) => ({ index, delta: { tool_calls: [toolPiece] } })) }),
  ],
  [
    'choices, one in each chunk',
    (count) => pieces(count, (index) => ({ choices: [{ index, delta: { content: 'a', tool_calls: [toolPiece] } }] })),
  ],
  ['pieces of a tool call in one chunk', (count) => event(delta({ tool_calls: inOne(count, () => toolPiece) }))],
  ['sources of one chunk', (count) => event(delta({ content: 'a', annotations: inOne(count, () => source) }))],
  ['sources, one in each chunk', (count) => pieces(count, () => delta({ content: 'a', annotations: [source] }))],
  [
    'finish reasons',
    (count) =>
      pieces(count, (index) => ({
        choices: [{ index: 0, delta: { content: 'a' }, finish_reason: `reason ${index}` }],
      })),
  ],
  [
    'deltas with a short message beside each',
    (count) =>
      pieces(count, () => ({
        choices: [{ index: 0, delta: { content: 'y'.repeat(500) }, message: { content: 'q' } }],
      })),
  ],
  [
    'messages that repeat one text',
    (count) => pieces(count, () => ({ choices: [{ index: 0, message: { content: 'a'.repeat(500) } }] })),
  ],
  ['usages', (count) => pieces(count, (index) => ({ choices: [], usage: { total_tokens: index, cost: index } }))],
  ['parts of a text', (count) => event(delta({ content: inOne(count, () => 'a') }))],
  [
    'lines of one event',
    (count) => `${inOne(count, () => `data: ${JSON.stringify(delta({ content: 'a' }))}`).join('\n')}\n\n`,
  ],
  [
    'log probabilities',
    (count) => event({ choices: [{ delta: { content: 'a' }, logprobs: { content: inOne(count, () => ({})) } }] }),
  ],
  ['levels of nesting', (count) => `data: ${'['.repeat(count)}${']'.repeat(count)}\n\n`],
];

async function cpuMs(text: string): Promise<number> {
  upstream.answer = (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${text}${event(finish)}data: [DONE]\n\n`);
  const before = process.cpuUsage();
  await request({ streamed: true, parts: 'all', timeoutMs: 120_000, maxMs: 120_000 });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const small = 5_000;

test.each(answers)(
  'the time in which an answer is read grows with its length and with nothing else: %s',
  async (_, answer) => {
    await cpuMs(answer(small));
    const [one, four] = [await cpuMs(answer(small)), await cpuMs(answer(4 * small))];

    // Sixteen times where it is quadratic; below 50 ms the collection of garbage decides.
    expect(four).toBeLessThan(Math.max(10 * one, 200));
  },
  300_000,
);
