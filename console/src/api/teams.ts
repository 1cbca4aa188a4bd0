import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type {
  BurnRate,
  CreatedTeam,
  ModelsOfTeam,
  RotatedKey,
  Statement,
  TeamCredits,
  TeamList,
  TeamWithKey,
} from './types.ts';

const teamPath = (teamId: string, rest = ''): string => `/api/teams/${encodeURIComponent(teamId)}${rest}`;

export const teamQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'settings'],
    queryFn: ({ signal }) => get<TeamWithKey>(teamPath(teamId), {}, signal),
  });

/** The newest teams that are active, for an example. */
export const activeTeamsQuery = queryOptions({
  queryKey: ['teams', 'active'],
  queryFn: ({ signal }) => get<TeamList>('/api/teams', { status: 'active', limit: 100 }, signal),
});

export const burnRateQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'burn-rate'],
    queryFn: ({ signal }) => get<BurnRate>(teamPath(teamId, '/burn-rate'), {}, signal),
  });

/** What open jobs have reserved: only a team with that policy is asked for it. */
export const reservedQuery = ({ team_id, low_balance_policy }: TeamWithKey) =>
  queryOptions({
    queryKey: ['team', team_id, 'reserved'],
    queryFn: ({ signal }) => get<TeamCredits>(teamPath(team_id, '/credits'), {}, signal),
    enabled: low_balance_policy === 'reserve',
  });

/** The names that the team can call now, with what they accept. */
export const modelsOfTeamQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'models'],
    queryFn: ({ signal }) => get<ModelsOfTeam>(teamPath(teamId, '/models'), {}, signal),
  });

export const statementPath = (teamId: string): string => teamPath(teamId, '/statement');

/** A calendar month of the team. */
export const statementQuery = (teamId: string, period: string) =>
  queryOptions({
    queryKey: ['statement', teamId, period],
    queryFn: ({ signal }) => get<Statement>(statementPath(teamId), { period }, signal),
    placeholderData: keepPreviousData,
  });

export const createTeam = (body: unknown, idempotencyKey: string): Promise<CreatedTeam> =>
  request('POST', '/api/teams/create', { body, idempotencyKey });

export const updateTeam = (teamId: string, body: unknown): Promise<unknown> =>
  request('PUT', teamPath(teamId), { body });

export const setModelGroups = (teamId: string, model_groups: string[]): Promise<unknown> =>
  request('PUT', teamPath(teamId, '/model-groups'), { body: { model_groups } });

export const suspendTeam = (teamId: string, idempotencyKey?: string): Promise<unknown> =>
  request('POST', teamPath(teamId, '/suspend'), { idempotencyKey });

export const resumeTeam = (teamId: string, idempotencyKey?: string): Promise<unknown> =>
  request('POST', teamPath(teamId, '/resume'), { idempotencyKey });

export const rotateKey = (teamId: string, grace_seconds: number, idempotencyKey: string): Promise<RotatedKey> =>
  request('POST', teamPath(teamId, '/rotate-key'), { body: { grace_seconds }, idempotencyKey });

/** The whole key. The audit log records who has requested it. */
export const revealKey = (teamId: string): Promise<{ virtual_key: string }> =>
  request('POST', teamPath(teamId, '/reveal-key'));

interface CreditChange {
  credits_amount: number;
  reason?: string;
}

export const allocateCredits = (teamId: string, body: CreditChange, idempotencyKey: string): Promise<unknown> =>
  request('POST', teamPath(teamId, '/credits/allocate'), { body, idempotencyKey });

export const adjustCredits = (teamId: string, body: CreditChange, idempotencyKey: string): Promise<unknown> =>
  request('POST', teamPath(teamId, '/credits/adjust'), { body, idempotencyKey });
