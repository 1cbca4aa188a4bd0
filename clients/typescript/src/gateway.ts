import { JobGatewayError } from './errors.ts';
import { environment } from './globals.ts';
import { Jobs } from './jobs.ts';
import { OwnTeam } from './own-team.ts';
import { type ConnectionOptions, Transport } from './transport.ts';
import { Webhooks } from './webhooks.ts';

export interface JobGatewayOptions extends ConnectionOptions {
  /** A virtual key of the team. Default: the environment variable `JOB_GATEWAY_API_KEY`. */
  apiKey?: string | undefined;
  /** The team of the key. Default: the environment variable `JOB_GATEWAY_TEAM_ID`. */
  teamId?: string | undefined;
}

/** The gateway as a team uses it. */
export class JobGateway {
  readonly jobs: Jobs;
  readonly webhooks: Webhooks;
  readonly team: OwnTeam;

  constructor(options: JobGatewayOptions = {}) {
    const apiKey = options.apiKey ?? environment('JOB_GATEWAY_API_KEY');
    if (!apiKey) throw new JobGatewayError('apiKey is missing: give it, or set JOB_GATEWAY_API_KEY');
    const teamId = options.teamId ?? environment('JOB_GATEWAY_TEAM_ID');
    const transport = new Transport(options, apiKey);
    this.jobs = new Jobs(transport, teamId);
    this.webhooks = new Webhooks(transport, teamId);
    this.team = new OwnTeam(transport, teamId);
  }
}
