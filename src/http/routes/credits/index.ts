import { allocateCredits } from './allocate-credits.ts';
import { getCredits } from './get-credits.ts';
import { listTeamTransactions } from './list-team-transactions.ts';

export const creditRoutes = [allocateCredits, getCredits, listTeamTransactions];
