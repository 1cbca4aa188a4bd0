import { type Embeddings, numbersOf, toBase64 } from '../../domain/embeddings.ts';

type Numbers = readonly number[] | Float32Array;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const float32Bytes = 4;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Undefined unless the text has whole numbers of four bytes. */
function readBase64(text: string): Float32Array | undefined {
  if (!base64.test(text)) return undefined;
  const isWhole = Buffer.byteLength(text, 'base64') % float32Bytes === 0;
  return isWhole ? (numbersOf('float32', text) as Float32Array) : undefined;
}

/** Finite in both forms in which a client may get it. */
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(Math.fround(value));

function readVector(value: unknown): Numbers | undefined {
  const numbers = typeof value === 'string' ? readBase64(value) : value;
  if (!(numbers instanceof Float32Array || Array.isArray(numbers)) || numbers.length === 0) return undefined;
  return numbers.every(isNumber) ? (numbers as Numbers) : undefined;
}

/** The vectors by their indexes. Undefined unless there is one for each input, and all are of one length. */
function readVectors(data: unknown, inputs: number): Numbers[] | undefined {
  if (!Array.isArray(data) || data.length !== inputs) return undefined;
  const vectors = new Map<unknown, Numbers>();
  for (const item of data) {
    const vector = isObject(item) ? readVector(item.embedding) : undefined;
    if (vector) vectors.set((item as { index?: unknown }).index, vector);
  }
  const ordered = Array.from({ length: inputs }, (_, index) => vectors.get(index));
  const length = ordered[0]?.length;
  return ordered.every((vector) => vector !== undefined && vector.length === length)
    ? (ordered as Numbers[])
    : undefined;
}

const isFloat32 = (vector: Numbers): boolean =>
  vector instanceof Float32Array || vector.every((value) => Math.fround(value) === value);

/**
 * The vectors of the `data` of an answer, whether numbers or base64. They are kept exactly as they came, in half of the length where
 * float32 holds them. Undefined: they are not what was asked for. `spec 30.3`
 */
export function readEmbeddings(data: unknown, inputs: number): Embeddings | undefined {
  const vectors = readVectors(data, inputs);
  if (!vectors) return undefined;
  return vectors.every(isFloat32)
    ? { type: 'float32', vectors: vectors.map((vector) => toBase64(Float32Array.from(vector))) }
    : { type: 'float64', vectors: vectors.map((vector) => toBase64(Float64Array.from(vector))) };
}
