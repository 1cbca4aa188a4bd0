/** The vectors of an answer, one for each input in their order, each as base64 of little-endian numbers: decision 120. */
export interface Embeddings {
  /** `float32` where that is exactly what the upstream sent. */
  type: 'float32' | 'float64';
  vectors: string[];
}

/** What is kept of vectors that are not kept. `sha256`: of the vectors as little-endian float32, one after the other. `spec 30.6` */
export interface ForgottenEmbeddings {
  vectors: number;
  dimensions: number;
  sha256: string;
}

export const lengthOfEmbeddings = (embeddings: Embeddings | undefined): number =>
  embeddings?.vectors.reduce((sum, vector) => sum + vector.length, 0) ?? 0;

/** How long the vectors of a call are kept after its end: with an Idempotency-Key as long as its answer may be repeated. */
export const vectorsKeptMinutes = { usually: 15, repeatable: 1_440 };

const numbersIn = {
  float32: (bytes: ArrayBufferLike) => new Float32Array(bytes),
  float64: (bytes: ArrayBufferLike) => new Float64Array(bytes),
};

/** The numbers of a vector. They are in the order of bytes of the machine: little-endian on every one that this service runs on. */
export const numbersOf = (type: Embeddings['type'], vector: string): Float32Array | Float64Array =>
  numbersIn[type](Uint8Array.from(Buffer.from(vector, 'base64')).buffer);

export function toFloat32(type: Embeddings['type'], vector: string): Float32Array {
  const numbers = numbersOf(type, vector);
  return numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
}

export const toBase64 = ({ buffer }: Float32Array | Float64Array): string => Buffer.from(buffer).toString('base64');
