import type { RequestHandler } from 'express';

/** No cache may keep an answer: a shared one could give it to another caller, because `X-Admin-Key` is no standard credential. */
const privateHeaders = { 'Cache-Control': 'private, no-store', Vary: 'Authorization, X-Admin-Key' };

/** For each request with a credential, also where the path or the method is not there; a route may set something stricter. */
export const forbidCaching: RequestHandler = ({ headers }, response, next) => {
  if (headers.authorization !== undefined || headers['x-admin-key'] !== undefined) response.set(privateHeaders);
  next();
};
