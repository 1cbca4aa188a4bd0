import { addCredits } from './add-credits.ts';
import { addTeamCredits } from './add-team-credits.ts';
import { adjustCredits } from './adjust-credits.ts';
import { allocateCredits } from './allocate-credits.ts';
import { changeConversionRates } from './change-conversion-rates.ts';
import { checkLedger } from './check-ledger.ts';
import { getBalance } from './get-balance.ts';
import { getConversionRates } from './get-conversion-rates.ts';
import { getCredits } from './get-credits.ts';
import { listLedger } from './list-ledger.ts';
import { listTeamTransactions } from './list-team-transactions.ts';
import { listTransactions } from './list-transactions.ts';
import { refundCredits } from './refund-credits.ts';

export const creditRoutes = [
  getCredits,
  listTeamTransactions,
  allocateCredits,
  adjustCredits,
  refundCredits,
  addTeamCredits,
  addCredits,
  getBalance,
  listTransactions,
  listLedger,
  checkLedger,
  getConversionRates,
  changeConversionRates,
];
