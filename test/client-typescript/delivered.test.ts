import fc from 'fast-check';
import { type CallChunk, Delivered } from '../../clients/typescript/src/delivered.ts';

type Delta = CallChunk['choices'][number]['delta'];

const chunk = (delta: Delta, finish_reason: string | null = null): CallChunk => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'smart',
  choices: [{ index: 0, delta, finish_reason }],
});

/** The chunks of an answer, cut into pieces at these places. */
function chunksOf(text: string, args: string, cuts: number[]): CallChunk[] {
  const pieces = (whole: string): string[] => {
    const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((one, other) => one - other);
    return [0, ...places].map((place, index) => whole.slice(place, [...places, whole.length][index]));
  };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(text).map((content) => chunk({ content })),
    chunk({ tool_calls: [{ index: 0, id: 'call-1', type: 'function', function: { name: 'search', arguments: '' } }] }),
    ...pieces(args).map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
    chunk({}, 'tool_calls'),
  ];
}

test('an answer that is read from its start again and again, in other pieces, is delivered once (clients 5)', () => {
  const attempt = fc.record({ cuts: fc.array(fc.nat(200), { maxLength: 8 }), readChunks: fc.nat(20) });
  const attempts = fc.array(attempt, { maxLength: 5 });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), attempts, (text, args, lost) => {
      const delivered = new Delivered();
      const got: CallChunk[] = [];
      for (const { cuts, readChunks } of [...lost, { cuts: [7], readChunks: Number.POSITIVE_INFINITY }]) {
        delivered.startAgain();
        for (const one of chunksOf(text, args, cuts).slice(0, readChunks)) {
          const taken = delivered.take(one);
          if (taken) got.push(taken);
        }
      }
      const deltas = got.map(({ choices }) => choices[0]!.delta);
      const pieces = deltas.flatMap(({ tool_calls = [] }) => tool_calls);
      expect(deltas.map(({ content }) => content ?? '').join('')).toBe(text);
      expect(pieces.map((piece) => piece.function?.arguments ?? '').join('')).toBe(args);
      expect(pieces.filter(({ id }) => id)).toHaveLength(1);
      expect(deltas.filter(({ role }) => role)).toHaveLength(1);
      expect(got.filter(({ choices }) => choices[0]!.finish_reason)).toHaveLength(1);
    }),
  );
});
