import { JobGateway, type JobGatewayOptions } from '../../clients/typescript/src/index.ts';
import { type Addressed, as, type GivenTeam } from '../support/given.ts';

export const messages = [{ role: 'user' as const, content: 'Tell me about rivers' }];

export const clientOf = ({ key, teamId }: GivenTeam, baseUrl: string, options: JobGatewayOptions = {}): JobGateway =>
  new JobGateway({ baseUrl, apiKey: key, teamId, ...options });

export const creditsUsed = async (gateway: Addressed, team: GivenTeam): Promise<number> =>
  (await as(gateway, team).credits()).credits_used;
