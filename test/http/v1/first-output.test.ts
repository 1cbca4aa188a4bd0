import type { StreamOutput } from '../../../src/calls/frame-reorder.ts';
import { OutcomeUnknown, Refusal } from '../../../src/errors.ts';
import { awaitFirstOutput } from '../../../src/http/v1/first-output.ts';

const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
const delta = (content: string): StreamOutput => ({ type: 'delta', delta: { content } });
const succeeded: StreamOutput = {
  type: 'end',
  end: { status: 'succeeded', finishReason: 'stop', usage, latencyMs: 0 },
};
const failed: StreamOutput = {
  type: 'end',
  end: { status: 'failed', error: 'too long', failure: 'context_length' },
};
const staying = () => ({ disconnected: new AbortController().signal });

async function* outputsOf(...all: StreamOutput[]): AsyncGenerator<StreamOutput> {
  yield* all;
}

async function read(outputs: AsyncIterable<StreamOutput>): Promise<StreamOutput[]> {
  const all: StreamOutput[] = [];
  for await (const output of outputs) all.push(output);
  return all;
}

test('a stream that begins with a piece of the answer has all its outputs, also a later failure (spec 28.10)', async () => {
  const all = [delta('a'), delta('b'), failed];

  expect(await read(await awaitFirstOutput(staying(), outputsOf(...all)))).toEqual(all);
});

test('a stream of an empty answer is no failure (spec 28.10)', async () => {
  expect(await read(await awaitFirstOutput(staying(), outputsOf(succeeded)))).toEqual([succeeded]);
  expect(await read(await awaitFirstOutput(staying(), outputsOf()))).toEqual([]);
});

test.each([
  ['of the call', failed, 'context_length_exceeded'],
  ['of a stream that was lost', { type: 'lost' } as const, 'upstream_error'],
])('a failure %s before the first piece is thrown once the job has ended (spec 28.10)', async (_name, output, code) => {
  let isOver = false;
  async function* outputs(): AsyncGenerator<StreamOutput> {
    yield output;
    isOver = true;
  }

  const error = await awaitFirstOutput(staying(), outputs()).catch((thrown: unknown) => thrown);

  expect(error).toBeInstanceOf(Refusal);
  expect((error as Refusal).code).toBe(code);
  expect(isOver).toBe(true);
});

test('an answer that breaks off before its first piece has an unknown outcome (spec 28.10)', async () => {
  await expect(awaitFirstOutput(staying(), outputsOf({ type: 'broken' }))).rejects.toThrow(OutcomeUnknown);
});

test('after the longest wait, or without a client, the stream begins before its first piece (spec 28.10)', async () => {
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>();
  async function* outputs(): AsyncGenerator<StreamOutput> {
    await arrives;
    yield delta('a');
    yield failed;
  }

  const late = await awaitFirstOutput(staying(), outputs(), 1);
  const left = await awaitFirstOutput({ disconnected: AbortSignal.abort() }, outputs());
  arrive();

  expect(await read(late)).toEqual([delta('a'), failed]);
  expect(await read(left)).toEqual([delta('a'), failed]);
});

test('a reader that leaves before the first piece closes the outputs (spec 28.10)', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<boolean>();
  async function* outputs(): AsyncGenerator<StreamOutput> {
    try {
      yield delta('a');
    } finally {
      close(true);
    }
  }

  const stream = await awaitFirstOutput(staying(), outputs());
  await stream.next();
  await stream.return(undefined);

  expect(await closed).toBe(true);
});
