import type { NextFunction, Request, Response } from 'express';
import type { Invalid } from '../../errors.ts';

function isReadable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/**
 * Express decodes the parts of a path while it looks for a route, before method and credential are checked. A part that is not
 * valid percent-encoding is encoded once more, so that it is refused after these checks.
 */
export function encodeUnreadableParts(request: Request, response: Response, next: NextFunction): void {
  const unreadable: string[] = [];
  const encode = (part: string) => {
    if (isReadable(part)) return part;
    unreadable.push(part);
    return encodeURIComponent(part);
  };
  const parts = (path: string) => path.split('/').map(encode).join('/');
  if (request.url.includes('%')) request.url = request.url.replace(/^[^?]*/, parts);
  response.locals.unreadable = unreadable;
  next();
}

/** One item of a 422 for each such parameter of the path. */
export const unreadableParameters = (request: Request, response: Response): Invalid[] =>
  Object.entries(request.params)
    .filter(([, value]) => [value].flat().some((part) => (response.locals.unreadable as string[]).includes(part!)))
    .map(([name]) => ({ loc: ['path', name], msg: 'Input should be valid percent-encoding', type: 'value_error' }));
