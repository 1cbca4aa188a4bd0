import { type Embeddings, numbersOf, toBase64 } from '../../domain/embeddings.ts';

/** A vector as it came: float32 where it holds the numbers exactly. */
export type Numbers = Float32Array | Float64Array;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const float32Bytes = 4;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Undefined unless the text has whole numbers of four bytes. */
function readBase64(text: string): Numbers | undefined {
  if (!base64.test(text)) return undefined;
  const isWhole = Buffer.byteLength(text, 'base64') % float32Bytes === 0;
  return isWhole ? numbersOf('float32', text) : undefined;
}

/** Finite in both forms in which a client may get it. */
const isFinite32 = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value));

const isFloat32 = (value: number): boolean => Math.fround(value) === value;

/** Numbers or base64. Undefined: neither, or not finite. */
export function readVector(value: unknown): Numbers | undefined {
  const numbers = typeof value === 'string' ? readBase64(value) : value;
  if (numbers instanceof Float32Array) return numbers.length > 0 && numbers.every(isFinite32) ? numbers : undefined;
  if (!Array.isArray(numbers) || numbers.length === 0 || !numbers.every(isFinite32)) return undefined;
  return numbers.every(isFloat32) ? Float32Array.from(numbers) : Float64Array.from(numbers);
}

/** The vectors by their indexes. Undefined unless there is one for each input, and all are of one length. */
function inOrder(data: unknown, read: readonly (Numbers | undefined)[], inputs: number): Numbers[] | undefined {
  if (!Array.isArray(data) || data.length !== inputs) return undefined;
  const vectors = new Map<unknown, Numbers>();
  for (const item of data) {
    if (!isObject(item)) return undefined;
    const [, position] = /^#(\d+)$/.exec(String(item.embedding)) ?? [];
    const vector = position === undefined ? undefined : read[Number(position)];
    if (vector) vectors.set(item.index, vector);
  }
  const ordered = Array.from({ length: inputs }, (_, index) => vectors.get(index));
  const length = ordered[0]?.length;
  return ordered.every((vector) => vector !== undefined && vector.length === length)
    ? (ordered as Numbers[])
    : undefined;
}

/**
 * The vectors of the `data` of an answer, which has `#0`, `#1` … in the places of those that were `read`. They are kept exactly as they
 * came. Undefined: they are not what was asked for. `spec 30.3`
 */
export function readEmbeddings(
  data: unknown,
  read: readonly (Numbers | undefined)[],
  inputs: number,
): Embeddings | undefined {
  const vectors = inOrder(data, read, inputs);
  if (!vectors) return undefined;
  return vectors.every((vector) => vector instanceof Float32Array)
    ? { type: 'float32', vectors: vectors.map(toBase64) }
    : { type: 'float64', vectors: vectors.map((vector) => toBase64(Float64Array.from(vector))) };
}
