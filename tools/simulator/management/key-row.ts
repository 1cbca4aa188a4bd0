import { SimulatorError } from '../errors.ts';
import type { GenerateKey } from './management-requests.ts';
import { hashKey, type Key } from './registry.ts';

const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, mo: 2_592_000 };

/** The time of `30d` from now; null (never) for no duration or `-1`. */
export function expiresIn(duration: string | null | undefined): string | null {
  if (duration == null || duration === '-1') return null;
  const [, count, unit = ''] = /^(\d+)(s|m|h|d|w|mo)$/.exec(duration) ?? [];
  const seconds = secondsOf[unit];
  if (seconds === undefined) {
    throw new SimulatorError(500, `Unsupported duration unit, passed duration: ${duration}`, {
      type: 'internal_server_error',
    });
  }
  return new Date(Date.now() + Number(count) * seconds * 1_000).toISOString();
}

/** A new row of the key table, with LiteLLM's defaults. */
export function keyRow(key: string, body: GenerateKey): Key {
  const now = new Date().toISOString();
  return {
    token: hashKey(key),
    key_name: `sk-...${key.slice(-4)}`,
    key_alias: body.key_alias ?? null,
    spend: body.spend ?? 0,
    expires: expiresIn(body.duration),
    models: body.models ?? [],
    aliases: body.aliases ?? {},
    config: {},
    user_id: body.user_id ?? null,
    team_id: body.team_id || null,
    organization_id: body.organization_id || null,
    permissions: body.permissions ?? {},
    max_parallel_requests: body.max_parallel_requests ?? null,
    metadata: body.metadata ?? {},
    blocked: body.blocked ?? null,
    tpm_limit: body.tpm_limit ?? null,
    rpm_limit: body.rpm_limit ?? null,
    tpd_limit: body.tpd_limit ?? null,
    max_budget: body.max_budget ?? null,
    budget_duration: body.budget_duration ?? null,
    allowed_routes: body.allowed_routes ?? [],
    created_at: now,
    updated_at: now,
  };
}
