import { arrayPagesOf } from './pages.ts';
import { path, type RequestOptions, type Transport } from './transport.ts';
import type {
  ChangedModelAlias,
  ChangedModelGroup,
  CreateModelAccessGroup,
  CreateModelAlias,
  CreateModelGroup,
  ListModelAccessGroupsQuery,
  ListModelAliasesQuery,
  ListModelGroupsQuery,
  Message,
  ModelAccessGroup,
  ModelAlias,
  ModelGroup,
  ModelResolution,
  ResolveModelGroupQuery,
  UpdateModelAccessGroup,
  UpdateModelAlias,
  UpdateModelGroup,
  UpstreamModels,
} from './types.generated.ts';

/** What a team calls by one name: models in order of priority. */
export class ModelGroups {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: CreateModelGroup, options?: RequestOptions): Promise<ChangedModelGroup> {
    return this.#transport.post('/api/model-groups/create', body, options);
  }

  list(query: ListModelGroupsQuery = {}, options?: RequestOptions) {
    return arrayPagesOf<ModelGroup>(this.#transport, '/api/model-groups', query, options);
  }

  retrieve(groupName: string, options?: RequestOptions): Promise<ModelGroup> {
    return this.#transport.get(path`/api/model-groups/${groupName}`, {}, options);
  }

  update(groupName: string, body: UpdateModelGroup, options?: RequestOptions): Promise<ChangedModelGroup> {
    return this.#transport.put(path`/api/model-groups/${groupName}`, body, options);
  }

  delete(groupName: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/model-groups/${groupName}`, options);
  }

  /** The models that the upstream names now. */
  ofUpstream(options?: RequestOptions): Promise<UpstreamModels> {
    return this.#transport.get('/api/upstream-models', {}, options);
  }

  /** Which models a call of this name would ask. */
  resolve(groupName: string, query: ResolveModelGroupQuery, options?: RequestOptions): Promise<ModelResolution> {
    return this.#transport.get(path`/api/model-groups/${groupName}/resolve`, query, options);
  }
}

/** Another name of one model. */
export class ModelAliases {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: CreateModelAlias, options?: RequestOptions): Promise<ChangedModelAlias> {
    return this.#transport.post('/api/model-aliases/create', body, options);
  }

  list(query: ListModelAliasesQuery = {}, options?: RequestOptions) {
    return arrayPagesOf<ModelAlias>(this.#transport, '/api/model-aliases', query, options);
  }

  retrieve(aliasName: string, options?: RequestOptions): Promise<ModelAlias> {
    return this.#transport.get(path`/api/model-aliases/${aliasName}`, {}, options);
  }

  update(aliasName: string, body: UpdateModelAlias, options?: RequestOptions): Promise<ChangedModelAlias> {
    return this.#transport.put(path`/api/model-aliases/${aliasName}`, body, options);
  }

  delete(aliasName: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/model-aliases/${aliasName}`, options);
  }
}

/** Which aliases the teams of a group may use. */
export class ModelAccessGroups {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: CreateModelAccessGroup, options?: RequestOptions): Promise<ModelAccessGroup> {
    return this.#transport.post('/api/model-access-groups/create', body, options);
  }

  list(query: ListModelAccessGroupsQuery = {}, options?: RequestOptions) {
    return arrayPagesOf<ModelAccessGroup>(this.#transport, '/api/model-access-groups', query, options);
  }

  retrieve(groupName: string, options?: RequestOptions): Promise<ModelAccessGroup> {
    return this.#transport.get(path`/api/model-access-groups/${groupName}`, {}, options);
  }

  update(groupName: string, body: UpdateModelAccessGroup, options?: RequestOptions): Promise<ModelAccessGroup> {
    return this.#transport.put(path`/api/model-access-groups/${groupName}`, body, options);
  }

  delete(groupName: string, options?: RequestOptions): Promise<Message> {
    return this.#transport.delete(path`/api/model-access-groups/${groupName}`, options);
  }
}
