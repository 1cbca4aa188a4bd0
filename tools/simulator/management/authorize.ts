import { SimulatorError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { hashKey, type Key, maskKey, type Team } from './registry.ts';

/** Management, and the list of prices, require the master key; without a master key every caller may use them. */
export function requireMasterKey(exchange: Exchange): void {
  const { simulation, entry } = exchange;
  if (simulation.masterKey === undefined || entry.key === simulation.masterKey) return;
  requireAnyKey(exchange);
  throw authError(
    `Authentication Error, Only proxy admin can be used to generate, delete, update info for new keys/users/teams. Route=${entry.path}. Your role=unknown. Your user_id=unknown`,
  );
}

/**
 * The master key or a registered key. The checks are in LiteLLM's order: key blocked, model allowed for the key, key's budget, team
 * blocked, model allowed for the team, team's budget.
 */
export function requireAnyKey({ simulation, request, entry }: Exchange): void {
  const { masterKey, registry } = simulation;
  if (masterKey !== undefined && entry.key === masterKey) return;
  const key = entry.key === null ? undefined : registry.keys.get(hashKey(entry.key));
  if (key) {
    checkKey(key, entry.model);
    const team = registry.teamOfRequests(key.team_id ?? '');
    if (team) checkTeam(team, entry.model);
    return;
  }
  if (masterKey === undefined) return;
  if (entry.key === null) {
    throw authError(
      request.get('authorization')
        ? 'Authentication Error, Malformed API Key passed in. Ensure Key has `Bearer ` prefix.'
        : 'Authentication Error, No api key passed in.',
    );
  }
  throw unknownKey(entry.key);
}

function unknownKey(key: string): SimulatorError {
  if (!key.startsWith('sk-')) {
    return authError(`LiteLLM Virtual Key expected. Received=${maskKey(key)}, expected to start with 'sk-'.`);
  }
  return new SimulatorError(
    401,
    `Authentication Error, Invalid proxy server token passed. Received API Key = sk-...${key.slice(-4)}, Key Hash (Token) =${hashKey(key)}. Unable to find token in cache or \`LiteLLM_VerificationTokenTable\``,
    { type: 'token_not_found_in_db', param: 'key' },
  );
}

function checkKey(key: Key, model: string | null): void {
  if (key.blocked === true) {
    throw authError("Authentication Error, Key is blocked. Update via `/key/unblock` if you're an admin.");
  }
  if (!mayUse(key.models, model)) throw modelDenied('key', model);
  if (key.expires !== null && key.expires <= new Date().toISOString()) {
    throw new SimulatorError(401, `Authentication Error - Expired Key. Key Expiry time ${key.expires}`, {
      type: 'expired_key',
      param: key.key_name,
    });
  }
  if (key.max_budget !== null && key.spend >= key.max_budget) {
    throw overBudget(`Key=${key.key_alias ?? 'key'} (${key.key_name})`, key.spend, key.max_budget);
  }
}

function checkTeam(team: Team, model: string | null): void {
  if (team.blocked) {
    throw authError(
      `Authentication Error, Team=${team.team_id} is blocked. Update via \`/team/unblock\` if you're an admin.`,
    );
  }
  if (!mayUse(team.models, model)) throw modelDenied('team', model);
  if (team.max_budget !== null && team.spend > team.max_budget) {
    throw overBudget(`Team=${team.team_id}`, team.spend, team.max_budget);
  }
}

/** LiteLLM's rule: an empty list allows every model. A caller that means to allow none must not send one. */
const mayUse = (models: unknown[], model: string | null): boolean =>
  model === null ||
  models.length === 0 ||
  models.some((allowed) => allowed === model || allowed === '*' || allowed === 'all-proxy-models');

const modelDenied = (owner: 'key' | 'team', model: string | null) =>
  new SimulatorError(
    403,
    `The requested model '${model}' is not available for this API key, or the model name is invalid. Check the models available to you and try again.`,
    { type: `${owner}_model_access_denied`, param: 'model' },
  );

const overBudget = (owner: string, spend: number, budget: number) =>
  new SimulatorError(422, `Budget has been exceeded! ${owner} Current cost: ${spend}, Max budget: ${budget}`, {
    type: 'budget_exceeded',
  });

const authError = (message: string) => new SimulatorError(401, message, { type: 'auth_error', param: 'None' });
