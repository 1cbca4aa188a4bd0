import type { Request } from 'express';
import type { Config } from '../../config.ts';
import { isPublicPath } from '../../domain/formats/public-path.ts';

/**
 * The path under which the client reaches the service, without a slash at its end: `PUBLIC_PATH`, or what a trusted proxy states that it has
 * removed. A proxy that is not trusted could be any client. `spec 20.4`
 */
export function publicPath({ PUBLIC_PATH }: Pick<Config, 'PUBLIC_PATH'>, { app, headers, socket }: Request): string {
  const named = headers['x-forwarded-prefix'];
  const isTrusted = app.get('trust proxy fn') as (address: string | undefined, hops: number) => boolean;
  if (typeof named !== 'string' || !isTrusted(socket.remoteAddress, 0)) return PUBLIC_PATH;
  const prefix = named.endsWith('/') ? named.slice(0, -1) : named;
  return isPublicPath(prefix) ? prefix : PUBLIC_PATH;
}
