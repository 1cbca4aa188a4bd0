import { once } from 'node:events';
import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { Behaviour } from '../behaviour/behaviour.ts';

type Encoding = Behaviour['encoding'];

export function encodeWhole(bytes: Buffer, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'identity':
      return bytes;
    case 'gzip':
      return zlib.gzipSync(bytes);
    case 'br':
      return zlib.brotliCompressSync(bytes);
    case 'deflate':
      return zlib.deflateSync(bytes);
    case 'zstd':
      return zlib.zstdCompressSync(bytes);
  }
}

type Compressor = Transform & { flush(done: () => void): void };

function compressor(encoding: Encoding): Compressor | undefined {
  switch (encoding) {
    case 'identity':
      return undefined;
    case 'gzip':
      return zlib.createGzip();
    case 'br':
      return zlib.createBrotliCompress();
    case 'deflate':
      return zlib.createDeflate();
    case 'zstd':
      return zlib.createZstdCompress();
  }
}

/** Encodes the pieces of a stream. Each piece is flushed, so that a reader can decode it before the next one comes. */
export class PieceEncoder {
  private readonly compressor: Compressor | undefined;
  private encoded: Buffer[] = [];

  constructor(encoding: Encoding) {
    this.compressor = compressor(encoding);
    this.compressor?.on('data', (bytes: Buffer) => this.encoded.push(bytes));
  }

  async encode(bytes: Buffer): Promise<Buffer> {
    const { compressor } = this;
    if (!compressor) return bytes;
    compressor.write(bytes);
    await new Promise<void>((resolve) => compressor.flush(resolve));
    return this.take();
  }

  /** The bytes with which the encoding ends. */
  async end(): Promise<Buffer> {
    if (!this.compressor) return Buffer.alloc(0);
    this.compressor.end();
    await once(this.compressor, 'end');
    return this.take();
  }

  private take(): Buffer {
    return Buffer.concat(this.encoded.splice(0));
  }
}
