import type { RequestContext } from './route.ts';

export const limitManagement = async (_context: RequestContext, _method: string): Promise<void> => undefined;
