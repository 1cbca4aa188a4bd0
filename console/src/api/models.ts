import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type RangeSearch, toMoments } from '../url/time-range.ts';
import { get, request } from './request.ts';
import type {
  ModelAccessGroup,
  ModelAlias,
  ModelGroup,
  ModelHealth,
  ModelResolution,
  UpstreamModels,
} from './types.ts';

const pageSize = 1_000;

export const modelGroupsQuery = queryOptions({
  queryKey: ['models', 'groups'],
  queryFn: ({ signal }) => get<ModelGroup[]>('/api/model-groups', { limit: pageSize }, signal),
});

/** The names that the team of the session can call now. */
export const callableModelsQuery = queryOptions({
  queryKey: ['models', 'callable'],
  queryFn: ({ signal }) => get<{ data: { id: string }[] }>('/v1/models', {}, signal),
});

/** The models that the upstream names now, or why it names none. */
export const upstreamModelsQuery = queryOptions({
  queryKey: ['models', 'upstream'],
  queryFn: ({ signal }) => get<UpstreamModels>('/api/upstream-models', {}, signal),
  staleTime: 60_000,
});

export const modelAliasesQuery = queryOptions({
  queryKey: ['models', 'aliases'],
  queryFn: ({ signal }) => get<ModelAlias[]>('/api/model-aliases', { limit: pageSize }, signal),
});

export const accessGroupsQuery = queryOptions({
  queryKey: ['models', 'access-groups'],
  queryFn: ({ signal }) => get<ModelAccessGroup[]>('/api/model-access-groups', { limit: pageSize }, signal),
});

/** Calls are counted half a minute after they have ended. */
const recountMs = 30_000;

/** How each model has done in the range. */
export const modelHealthQuery = (range: RangeSearch) =>
  queryOptions({
    queryKey: ['models', 'health', range],
    queryFn: ({ signal }) => get<ModelHealth>('/api/usage/models', toMoments(range), signal),
    placeholderData: keepPreviousData,
    refetchInterval: recountMs,
  });

/** What a call would use: nothing is requested from a model. */
export const resolutionQuery = (team_id: string, name: string) =>
  queryOptions({
    queryKey: ['models', 'resolution', team_id, name],
    queryFn: ({ signal }) =>
      get<ModelResolution>(`/api/model-groups/${encodeURIComponent(name)}/resolve`, { team_id }, signal),
    enabled: team_id !== '' && name !== '',
    staleTime: 0,
  });

export type ModelKind = 'model-groups' | 'model-aliases' | 'model-access-groups';

const modelPath = (kind: ModelKind, name: string): string => `/api/${kind}/${encodeURIComponent(name)}`;

/** `warnings`: what is doubtful about the names of models. An access group has none. */
interface Changed {
  warnings?: string[];
}

export const createModel = (kind: ModelKind, body: unknown, idempotencyKey: string): Promise<Changed> =>
  request('POST', `/api/${kind}/create`, { body, idempotencyKey });

export const updateModel = (kind: ModelKind, name: string, body: unknown): Promise<Changed> =>
  request('PUT', modelPath(kind, name), { body });

export const deleteModel = (kind: ModelKind, name: string): Promise<unknown> =>
  request('DELETE', modelPath(kind, name));
