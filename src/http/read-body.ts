import type { Request, Response } from 'express';
import express from 'express';
import { InvalidRequest, invalid, refuse } from '../errors.ts';
import { inspectJson } from './inspect-json.ts';

/** `rulings.md` 1.5 */
export const bodyLimits = { standard: 1_048_576, call: 10_485_760 };

const readers = {
  standard: express.raw({ type: () => true, limit: bodyLimits.standard }),
  call: express.raw({ type: () => true, limit: bodyLimits.call }),
};

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** The bytes of the body, decompressed. 413 over the limit, 415 for an encoding that we cannot undo. */
export function readBytes(request: Request, response: Response, limit: keyof typeof bodyLimits): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    readers[limit](request, response, (error?: unknown) => {
      if (!error) return resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
      const { status, type } = error as { status?: number; type?: string };
      if (status === 413) return reject(refuse('body_too_large').with({ Connection: 'close' }));
      if (status === 415) return reject(refuse('body_not_readable', 'Content-Encoding'));
      if (type === 'request.aborted') return reject(error);
      reject(invalid(['body'], 'Body could not be read'));
    });
  });
}

const parameterOf = (contentType: string, name: string) =>
  new RegExp(`;\\s*${name}\\s*=\\s*"?([^;"\\s]+)`, 'i').exec(contentType)?.[1]?.toLowerCase();

const utf8 = new TextDecoder('utf-8', { fatal: true });

function positionOf(error: unknown, text: string): number {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position ? Number(position) : text.length;
}

/**
 * JSON from the bytes; undefined for an empty body. A byte order mark is dropped. Throws `InvalidRequest` in the
 * shape of a 422, and a 415 for a charset other than UTF-8.
 */
export function parseBody(request: Request, bytes: Buffer): unknown {
  const contentType = request.headers['content-type'] ?? '';
  const charset = parameterOf(contentType, 'charset');
  if (charset && charset !== 'utf-8' && charset !== 'utf8') throw refuse('body_not_readable', 'charset');
  if (bytes.length === 0) return undefined;
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType)) {
    throw invalid(['body'], 'Content-Type must be application/json', 'model_attributes_type');
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw invalid(['body'], 'Body is not valid UTF-8', 'json_invalid');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(['body', positionOf(error, text)], 'JSON decode error', 'json_invalid');
  }
  const problems = inspectJson(value);
  if (problems.length > 0) throw new InvalidRequest(problems);
  return value;
}
