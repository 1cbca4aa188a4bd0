import { queryOptions } from '@tanstack/react-query';
import { get } from './request.ts';
import type { LedgerCheck } from './types.ts';

/** Whether every balance is the sum of its ledger rows. The service reads the whole ledger for it, so it is requested once, and again by hand. */
export const ledgerCheckQuery = queryOptions({
  queryKey: ['ledger', 'check'],
  queryFn: ({ signal }) => get<LedgerCheck>('/api/ledger/check', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
});
