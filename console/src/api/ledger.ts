import { queryOptions } from '@tanstack/react-query';
import { get } from './request.ts';
import type { LedgerCheck } from './types.ts';

/** Whether every balance is what its ledger comes to. It reads all of the ledger, so that it is requested once, and again by hand. */
export const ledgerCheckQuery = queryOptions({
  queryKey: ['ledger', 'check'],
  queryFn: ({ signal }) => get<LedgerCheck>('/api/ledger/check', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});
