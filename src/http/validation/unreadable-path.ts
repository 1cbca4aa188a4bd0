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
 * valid percent-encoding goes on as written, to be refused in its turn.
 */
export function passUnreadable(request: Request, response: Response, next: NextFunction): void {
  const unreadable: string[] = [];
  const pass = (part: string) => {
    if (isReadable(part)) return part;
    unreadable.push(part);
    return encodeURIComponent(part);
  };
  const parts = (path: string) => path.split('/').map(pass).join('/');
  if (request.url.includes('%')) request.url = request.url.replace(/^[^?]*/, parts);
  response.locals.unreadable = unreadable;
  next();
}

/** One item of a 422 for each such parameter of the path. */
export const unreadableParameters = (request: Request, response: Response): Invalid[] =>
  Object.entries(request.params)
    .filter(([, value]) => (response.locals.unreadable as string[]).includes(String(value)))
    .map(([name]) => ({ loc: ['path', name], msg: 'Input should be valid percent-encoding', type: 'value_error' }));
