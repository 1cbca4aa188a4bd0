import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Express, Request, Response } from 'express';
import { refuse } from '../errors.ts';
import { unreadMs } from './reply.ts';

/** The smallest first. */
const codings = ['br', 'gzip'] as const;
type Coding = (typeof codings)[number];

/**
 * An answer that is the same for every client. Its bytes are made once and are shared by all answers: a request for it holds none of
 * its own, however many of them wait for a client that does not read.
 */
export interface StaticFile {
  /** The type as `response.type` takes it. */
  type: string;
  etag: string;
  /** Undefined where this coding does not pay. */
  compressed(coding: Coding): Buffer | undefined;
  identity: Buffer;
}

/** A smaller file is one packet anyway. */
const worthCompressing = 1_024;
const isCompressible = (type: string): boolean => !/png|woff2/.test(type);

/** Each takes about 40 ms for the largest file, once: the highest level of Brotli would take 3 s. */
const compressors: Record<Coding, (content: Buffer) => Buffer> = {
  br: (content) => brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (content) => gzipSync(content),
};

/** `built`: compressed forms that exist already. The others are made by the first request for them. */
export function staticFile(
  type: string,
  content: string | Buffer,
  built: Partial<Record<Coding, Buffer | undefined>> = {},
): StaticFile {
  const identity = Buffer.from(content);
  const forms = new Map<Coding, Buffer>();
  for (const coding of codings) if (built[coding]) forms.set(coding, built[coding]);
  const pays = forms.size === 0 && identity.length > worthCompressing && isCompressible(type);
  return {
    type,
    identity,
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    compressed(coding) {
      if (pays && !forms.has(coding)) forms.set(coding, compressors[coding](identity));
      return forms.get(coding);
    },
  };
}

/** The file is kept, and compared with each use: a new version is taken at once. */
const revalidated = 'no-cache';

/** Sends the form that the client accepts, or 304 where it has it. A client that reads nothing of it loses its connection. */
export function sendStatic(file: StaticFile, request: Request, response: Response, cacheControl?: string): void {
  const coding = codings.find((one) => request.acceptsEncodings(one) && file.compressed(one));
  const set = response.get('Cache-Control');
  response
    .set('Cache-Control', cacheControl ?? set ?? revalidated)
    .set('ETag', `"${file.etag}-${coding ?? 'identity'}"`)
    .vary('Accept-Encoding');
  if (coding) response.set('Content-Encoding', coding);
  response.setTimeout(unreadMs);
  response.type(file.type).send(coding ? file.compressed(coding) : file.identity);
}

/** Serves a file at a path, and answers other methods with 405. */
export function serveFile(
  app: Express,
  path: string,
  choose: (response: Response) => StaticFile,
  cacheControl?: string,
): void {
  app
    .route(path)
    .get((request, response) => sendStatic(choose(response), request, response, cacheControl))
    .all(() => {
      throw refuse('method_not_allowed', 'GET, HEAD').with({ Allow: 'GET, HEAD' });
    });
}
