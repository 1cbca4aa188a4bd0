import { randomBytes } from 'node:crypto';
import { SimulatorError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { checkBudget, managementError } from './check-budget.ts';
import { expiresIn, keyRow } from './key-row.ts';
import { BlockKey, DeleteKeys, GenerateKey, UpdateKey } from './management-requests.ts';
import { readBody } from './read-body.ts';
import { hashKey, type Key, maskKey, type Registry } from './registry.ts';

const minKeyCharacters = 16;

/**
 * POST /key/generate. The caller may choose the key: `sk-` and at least 16 characters in all. An existing key does not change, and the
 * status is 200 nevertheless; an existing alias is refused, whichever key has it. The team need not exist.
 */
export function generateKey(exchange: Exchange) {
  const { registry } = exchange.simulation;
  const body = readBody(exchange, GenerateKey);
  checkBudget(body);
  if (body.tags?.length) throw new SimulatorError(500, 'Only premium users can add tags to keys.', internal);
  if (body.key_alias != null) checkAlias(registry, body.key_alias);
  if (body.key != null) checkChosenKey(body.key);
  const key = body.key ?? `sk-${randomBytes(16).toString('base64url')}`;
  const row = keyRow(key, body);
  if (!registry.keys.has(row.token)) registry.keys.set(row.token, row);
  const { token, ...shown } = row;
  return { ...shown, key, token, token_id: token, soft_budget: body.soft_budget ?? null };
}

/** POST /key/update. Absent fields do not change; null clears. */
export function updateKey(exchange: Exchange) {
  const { registry } = exchange.simulation;
  const { key, tags: _, soft_budget: __, duration, ...changes } = readBody(exchange, UpdateKey);
  checkBudget(changes);
  const row = key == null ? registry.keyByAlias(changes.key_alias ?? '') : registry.keys.get(hashKey(key));
  if (!row) throw keyNotFound('Key not found.');
  if (changes.key_alias != null && changes.key_alias !== row.key_alias) checkAlias(registry, changes.key_alias);
  if (duration !== undefined) row.expires = expiresIn(duration);
  Object.assign(row, changes, { updated_at: new Date().toISOString() });
  return { ...row, key: key ?? row.token };
}

/** POST /key/delete. Keys that do not exist are ignored if at least one exists. */
export function deleteKeys(exchange: Exchange) {
  const { registry } = exchange.simulation;
  const { keys, key_aliases: aliases } = readBody(exchange, DeleteKeys);
  const tokens = keys?.length
    ? keys.map(hashKey)
    : (aliases ?? []).flatMap((alias) => registry.keyByAlias(alias)?.token ?? []);
  if (!tokens.some((token) => registry.keys.has(token))) throw managementError(404, 'No keys found');
  for (const token of tokens) registry.keys.delete(token);
  return { deleted_keys: keys?.length ? keys : aliases };
}

/** POST /key/block and /key/unblock. */
export const setKeyBlocked =
  (blocked: boolean) =>
  (exchange: Exchange): Key => {
    const { key } = readBody(exchange, BlockKey);
    if (!/^(?:sk-[\w-]{1,97}|[a-f\d]{64})$/i.test(key)) {
      throw new SimulatorError(400, 'Invalid key format.', { type: 'bad_request_error', param: 'key' });
    }
    const row = exchange.simulation.registry.keys.get(hashKey(key));
    if (!row) throw keyNotFound('Key not found.');
    return Object.assign(row, { blocked, updated_at: new Date().toISOString() });
  };

/** GET /key/info?key= — without the parameter, the info of the caller's key. */
export function keyInfo({ simulation, request, entry }: Exchange) {
  const key = typeof request.query.key === 'string' ? request.query.key : entry.key;
  const row = simulation.registry.keys.get(hashKey(key ?? ''));
  if (!row) throw keyNotFound('Key not found in database');
  const { token: _, ...info } = row;
  return { key, info: { ...info, status: row.blocked ? 'revoked' : 'active' } };
}

const internal = { type: 'internal_server_error' };
const keyNotFound = (message: string) => new SimulatorError(404, message, { type: 'not_found_error', param: 'key' });

function checkChosenKey(key: string): void {
  if (!key.startsWith('sk-')) {
    const received = maskKey(key);
    throw managementError(400, `Invalid key format. LiteLLM Virtual Key must start with 'sk-'. Received: ${received}`);
  }
  if (key.length < minKeyCharacters) {
    throw managementError(
      400,
      `Invalid key format. LiteLLM Virtual Key must be at least ${minKeyCharacters} characters long.`,
    );
  }
}

function checkAlias(registry: Registry, alias: string): void {
  const refuse = (message: string) =>
    new SimulatorError(400, message, { type: 'bad_request_error', param: 'key_alias' });
  if (/(^|\/)\.\.(\/|$)|[\0-\x1f\x7f-\x9f\u2028\u2029]/.test(alias)) throw refuse('Invalid key_alias');
  if (registry.keyByAlias(alias)) {
    throw refuse(`Key with alias '${alias}' already exists. Unique key aliases across all keys are required.`);
  }
}
