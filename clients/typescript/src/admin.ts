import { Credits, Prices } from './credits.ts';
import { environment } from './globals.ts';
import { Jobs } from './jobs.ts';
import { ModelAccessGroups, ModelAliases, ModelGroups } from './models.ts';
import { Keys, Organizations, Teams } from './teams.ts';
import { type ConnectionOptions, Transport } from './transport.ts';
import { Users } from './users.ts';
import { Webhooks } from './webhooks.ts';

export interface JobGatewayAdminOptions extends ConnectionOptions {
  /**
   * The platform key, or the access token of an admin user. Default: the environment variable `JOB_GATEWAY_ADMIN_TOKEN`. Without one only
   * `users.logIn`, `users.setUp` and `users.getSetupStatus` are answered.
   */
  token?: string | undefined;
}

/** The gateway as an admin uses it. */
export class JobGatewayAdmin {
  readonly organizations: Organizations;
  readonly teams: Teams;
  readonly keys: Keys;
  readonly credits: Credits;
  readonly prices: Prices;
  readonly modelGroups: ModelGroups;
  readonly modelAliases: ModelAliases;
  readonly modelAccessGroups: ModelAccessGroups;
  readonly users: Users;
  readonly webhooks: Webhooks;
  /** Of all teams. Opening jobs and making calls needs the key of the team. */
  readonly jobs: Pick<Jobs, 'list' | 'retrieve' | 'cancel'>;

  constructor(options: JobGatewayAdminOptions = {}) {
    const transport = new Transport(options, options.token ?? environment('JOB_GATEWAY_ADMIN_TOKEN'));
    this.organizations = new Organizations(transport);
    this.teams = new Teams(transport);
    this.keys = new Keys(transport);
    this.credits = new Credits(transport);
    this.prices = new Prices(transport);
    this.modelGroups = new ModelGroups(transport);
    this.modelAliases = new ModelAliases(transport);
    this.modelAccessGroups = new ModelAccessGroups(transport);
    this.users = new Users(transport);
    this.webhooks = new Webhooks(transport);
    this.jobs = new Jobs(transport, undefined);
  }
}
