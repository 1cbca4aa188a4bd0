import type { Request } from 'express';
import type { RequestContext, Route } from './route.ts';

export const withIdempotency = async (
  _route: Route,
  _request: Request,
  context: RequestContext,
  carryOut: (context: RequestContext) => Promise<unknown>,
): Promise<unknown> => carryOut(context);
