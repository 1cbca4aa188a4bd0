import { Credits, Prices } from './credits.ts';
import { JobGatewayError } from './errors.ts';
import { Teams } from './teams.ts';
import type { RequestOptions, Transport } from './transport.ts';
import type {
  GetTeamStatementQuery,
  GetTeamUsageQuery,
  ListCreditTransactionsQuery,
  ListPricesOfTeamQuery,
  UserErasure,
} from './types.generated.ts';

/** What a team may read of itself with its key. */
export class OwnTeam {
  readonly #teamId: string | undefined;
  readonly #teams: Teams;
  readonly #credits: Credits;
  readonly #prices: Prices;

  constructor(transport: Transport, teamId: string | undefined) {
    this.#teamId = teamId;
    this.#teams = new Teams(transport);
    this.#credits = new Credits(transport);
    this.#prices = new Prices(transport);
  }

  get #id(): string {
    if (!this.#teamId)
      throw new JobGatewayError('teamId is missing: give it to the client, or set JOB_GATEWAY_TEAM_ID');
    return this.#teamId;
  }

  retrieve(options?: RequestOptions) {
    return this.#teams.retrieve(this.#id, options);
  }

  getCredits(options?: RequestOptions) {
    return this.#credits.retrieve(this.#id, options);
  }

  listTransactions(query: Omit<ListCreditTransactionsQuery, 'team_id'> = {}, options?: RequestOptions) {
    return this.#credits.listTransactions({ ...query, team_id: this.#id }, options);
  }

  /** `period` is a month: `2026-01`. */
  getUsage(query: GetTeamUsageQuery, options?: RequestOptions) {
    return this.#teams.getUsage(this.#id, query, options);
  }

  /** `period` is a month: `2026-01`. */
  getStatement(query: GetTeamStatementQuery, options?: RequestOptions) {
    return this.#teams.getStatement(this.#id, query, options);
  }

  /** The names that you can call, with what they accept. */
  listModels(options?: RequestOptions) {
    return this.#teams.listModels(this.#id, options);
  }

  getBurnRate(options?: RequestOptions) {
    return this.#teams.getBurnRate(this.#id, options);
  }

  listPrices(query: ListPricesOfTeamQuery = {}, options?: RequestOptions) {
    return this.#prices.listOfTeam(this.#id, query, options);
  }

  /** Deletes what is stored of one of your own users, but sums and ledger. */
  eraseUser(body: UserErasure, options?: RequestOptions) {
    return this.#teams.eraseUser(this.#id, body, options);
  }
}
