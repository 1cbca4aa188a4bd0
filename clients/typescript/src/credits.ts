import { pagesOf } from './pages.ts';
import { path, type RequestOptions, type Transport } from './transport.ts';
import type {
  AddTeamCredits,
  Balance,
  ChangedConversionRates,
  ConversionRates,
  ConversionRatesUpdate,
  CreditAdjustment,
  CreditAllocation,
  CreditChange,
  CreditRefund,
  JobTypePrice,
  Ledger,
  LedgerCheck,
  ListCreditTransactionsQuery,
  ListLedgerQuery,
  ListPricesOfTeamQuery,
  ListPricesQuery,
  Message,
  PriceList,
  PriceOfJobType,
  TeamCredits,
  TransactionList,
} from './types.generated.ts';

export class Credits {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  retrieve(teamId: string, options?: RequestOptions): Promise<TeamCredits> {
    return this.#transport.get(path`/api/teams/${teamId}/credits`, {}, options);
  }

  /** The credits of a team with its settings of refills, modes and rates. */
  getBalance(teamId: string, options?: RequestOptions): Promise<Balance> {
    return this.#transport.get('/api/credits/balance', { team_id: teamId }, options);
  }

  allocate(teamId: string, body: CreditAllocation, options?: RequestOptions): Promise<CreditChange> {
    return this.#transport.post(path`/api/teams/${teamId}/credits/allocate`, body, options);
  }

  adjust(teamId: string, body: CreditAdjustment, options?: RequestOptions): Promise<CreditChange> {
    return this.#transport.post(path`/api/teams/${teamId}/credits/adjust`, body, options);
  }

  /** Gives back what a job was charged. */
  refund(teamId: string, body: CreditRefund, options?: RequestOptions): Promise<CreditChange> {
    return this.#transport.post(path`/api/teams/${teamId}/credits/refund`, body, options);
  }

  add(teamId: string, body: AddTeamCredits, options?: RequestOptions): Promise<CreditChange> {
    return this.#transport.post(path`/api/credits/teams/${teamId}/add`, body, options);
  }

  /** The transactions of one team, the newest first. */
  listTransactions(query: ListCreditTransactionsQuery, options?: RequestOptions) {
    const itemsOf = ({ transactions }: TransactionList) => transactions;
    return pagesOf(this.#transport, '/api/credits/transactions', query, itemsOf, options);
  }

  /** The transactions of all teams, the newest first. */
  listLedger(query: ListLedgerQuery = {}, options?: RequestOptions) {
    return pagesOf(this.#transport, '/api/transactions', query, ({ transactions }: Ledger) => transactions, options);
  }

  checkLedger(options?: RequestOptions): Promise<LedgerCheck> {
    return this.#transport.get('/api/ledger/check', {}, options);
  }

  getConversionRates(teamId: string, options?: RequestOptions): Promise<ConversionRates> {
    return this.#transport.get(path`/api/credits/teams/${teamId}/conversion-rates`, {}, options);
  }

  updateConversionRates(
    teamId: string,
    body: ConversionRatesUpdate,
    options?: RequestOptions,
  ): Promise<ChangedConversionRates> {
    return this.#transport.patch(path`/api/credits/teams/${teamId}/conversion-rates`, body, options);
  }
}

/** What the job types cost: for all teams, or with a `team_id` for one. */
export class Prices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: ListPricesQuery = {}, options?: RequestOptions) {
    return pagesOf(this.#transport, '/api/job-types', query, ({ job_types }: PriceList) => job_types, options);
  }

  retrieve(jobType: string, options?: RequestOptions): Promise<JobTypePrice> {
    return this.#transport.get(path`/api/job-types/${jobType}`, {}, options);
  }

  /** Replaces the price of a job type. */
  set(jobType: string, body: PriceOfJobType, options?: RequestOptions): Promise<JobTypePrice> {
    return this.#transport.put(path`/api/job-types/${jobType}`, body, options);
  }

  delete(jobType: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/job-types/${jobType}`, options);
  }

  /** The prices that hold for a team. */
  listOfTeam(teamId: string, query: ListPricesOfTeamQuery = {}, options?: RequestOptions) {
    const itemsOf = ({ job_types }: PriceList) => job_types;
    return pagesOf(this.#transport, path`/api/teams/${teamId}/job-types`, query, itemsOf, options);
  }

  retrieveOfTeam(teamId: string, jobType: string, options?: RequestOptions): Promise<JobTypePrice> {
    return this.#transport.get(path`/api/teams/${teamId}/job-types/${jobType}`, {}, options);
  }

  setOfTeam(teamId: string, jobType: string, body: PriceOfJobType, options?: RequestOptions): Promise<JobTypePrice> {
    return this.#transport.put(path`/api/teams/${teamId}/job-types/${jobType}`, body, options);
  }

  deleteOfTeam(teamId: string, jobType: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/teams/${teamId}/job-types/${jobType}`, options);
  }
}
