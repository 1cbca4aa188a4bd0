import type { Secrets } from '../../src/auth/secrets.ts';
import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import type { Config } from '../../src/config.ts';
import { readRequest, type StoredRequest } from '../../src/db/calls/read-request.ts';
import type { RequestOfCall } from '../../src/db/calls/start-call.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { readCallOptions } from '../../src/domain/call-options.ts';
import type { Candidate } from '../../src/domain/call-state.ts';
import { countMedia } from '../../src/domain/count-media.ts';
import { permittedFields } from '../../src/domain/extra-fields.ts';
import { joinMembers, readMembers } from '../../src/domain/formats/json-members.ts';
import { type OptionalField, optionalFields } from '../../src/domain/optional-fields.ts';
import { permittedRequest } from '../../src/domain/permitted-request.ts';
import { tokensOfRequest } from '../../src/domain/token-estimate.ts';
import { teamHolder } from '../../src/holders/holder.ts';
import type { WorkerMeasures } from '../../src/holders/measures.ts';
import type { StoredBytes } from '../../src/holders/stored-bytes.ts';
import type { ReasoningState } from '../../src/upstream/answer/reasoning-state.ts';
import type { RefusedFields } from '../../src/upstream/refused-fields.ts';
import { buildBody, type OpenBody, type RequestSource, SentOnce } from '../../src/upstream/request-body.ts';
import { type Keeping, type KeptTexts, keptTexts, nothingReplaced } from './kept-request.ts';
import { SealedReasoning } from './sealed-reasoning.ts';

type Sent = Parameters<RequestSource['open']>[0];

/** What a worker holds of a long request, at most, while it reads and sends it: what has arrived, the text, and its bytes. */
const timesHeld = 3;

interface RequestDeps {
  config: Pick<Config, 'PAYLOAD_KEEP_BYTES'>;
  database: Database;
  measures: Pick<WorkerMeasures, 'bytes'>;
  refusedFields: RefusedFields;
  secrets: Secrets;
  storedBytes: Pick<StoredBytes, 'take'>;
}

const noRequest: StoredRequest = { request: '{}', options: null };

function tokensOfStored({ request, options }: StoredRequest): number {
  const { messages } = JSON.parse(request) as { messages?: Record<string, unknown>[] };
  return tokensOfRequest(Buffer.byteLength(request) + Buffer.byteLength(options ?? ''), countMedia(messages ?? []));
}

/** The texts at which the model is asked to stop. A request without any is not read. */
function stopsIn(request: string): string[] {
  if (!request.includes('"stop"')) return [];
  const stop = [...readMembers(request)].find(({ name }) => name === 'stop')?.value ?? 'null';
  return [JSON.parse(stop) as string[] | string | null].flat().filter((text) => text !== null);
}

/**
 * The request of one call. A short one is in hand from the start of the call. A long one is read for each model, within the bytes
 * that the team may have in this worker, and let go when it is sent: nothing of its size is held while a model works.
 */
export class CallRequest implements RequestSource {
  private readonly deps: RequestDeps;
  private readonly call: RequestOfCall;
  private keptOfLong: KeptTexts | undefined;

  constructor(deps: RequestDeps, call: RequestOfCall) {
    this.deps = deps;
    this.call = call;
  }

  /** Whether the record keeps in which pieces a stream came. */
  get keepsPieces(): boolean {
    return readCallOptions(this.call.options).keepsPieces;
  }

  /** The model that wrote the newest state of the request comes first, whatever its priority. `spec 31.3` */
  async candidates(): Promise<Candidate[]> {
    const { candidates, options } = this.call;
    if (candidates.length < 2 || readCallOptions(options).parts !== 'sealed') return candidates;
    const newest = await this.withStored(({ request }) => this.reasoning.newestModel(request));
    return candidates.toSorted((one, other) => Number(other.model === newest) - Number(one.model === newest));
  }

  async open(sent: Sent): Promise<OpenBody> {
    const { request_bytes, team_id } = this.call;
    if (!this.isLong) return { ...this.body(this.short, sent), close: () => undefined };
    const weight = request_bytes! * timesHeld;
    const release = await this.deps.measures.bytes.acquire(teamHolder(team_id), { weight, signal: sent.signal });
    try {
      const { content, ...form } = await this.readBody(sent);
      const body = new SentOnce(Buffer.from(content), release);
      const close = () => {
        body.drop();
        release();
      };
      return { content: body, ...form, close };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** An estimate of its tokens, by its texts as they are stored: `spec 9.1`. */
  estimateTokens(): Promise<number> {
    return this.withStored(tokensOfStored);
  }

  /** What the texts of the request are replaced with once the call has ended. */
  kept(): KeptTexts {
    return this.isLong ? (this.keptOfLong ?? nothingReplaced) : keptTexts(this.short, this.keeping);
  }

  private get reasoning(): SealedReasoning {
    return new SealedReasoning(this.deps.secrets, this.call.team_id);
  }

  /** A long request is read once more. */
  private async withStored<T>(use: (stored: StoredRequest) => T): Promise<T> {
    const { request_bytes, team_id, call_id } = this.call;
    if (!this.isLong) return use(this.short);
    const weight = request_bytes! * timesHeld;
    const release = await this.deps.measures.bytes.acquire(teamHolder(team_id), { weight });
    try {
      return use((await retryUntilAvailable(() => readRequest(this.deps.database, call_id))) ?? noRequest);
    } finally {
      release();
    }
  }

  private get keeping(): Keeping {
    const { config, storedBytes } = this.deps;
    return {
      keepBytes: config.PAYLOAD_KEEP_BYTES,
      mayKeep: (bytes) => storedBytes.take(this.call.team_id, bytes),
    };
  }

  private get isLong(): boolean {
    return this.call.request === null && this.call.request_bytes !== null;
  }

  private get short(): StoredRequest {
    const { request, options } = this.call;
    return request === null ? noRequest : { request, options };
  }

  /** What is kept is found while the texts are in hand. */
  private async readBody(sent: Sent) {
    const texts = (await retryUntilAvailable(() => readRequest(this.deps.database, this.call.call_id))) ?? noRequest;
    sent.signal.throwIfAborted();
    this.keptOfLong ??= keptTexts(texts, this.keeping);
    return this.body(texts, sent);
  }

  private body({ request, options }: StoredRequest, { model, streamed }: Sent) {
    const { extra_fields, blocked_fields, max_output_tokens } = this.call;
    const { extra, parts, inputs } = readCallOptions(options);
    const extras = joinMembers(permittedFields(extra, extra_fields ?? [], blocked_fields ?? []));
    const limit = inputs === undefined ? max_output_tokens : null;
    const permitted = permittedRequest(request, { blocked_fields, max_output_tokens: limit });
    if (parts !== 'sealed') {
      const content = buildBody({ extra: extras, request: permitted }, model, streamed);
      return { content, parts, inputs, seal: () => undefined, leaveOut: () => false };
    }
    const { reasoning } = this;
    const { refusedFields } = this.deps;
    const fields = { extra: extras, request: reasoning.openFor(model, permitted) };
    const content = buildBody(fields, model, streamed, refusedFields.of(model));
    const sent = optionalFields.filter((field) => content.includes(`"${field}"`));
    return {
      content,
      parts,
      seal: (state: ReasoningState) => reasoning.seal(model, state),
      stops: stopsIn(permitted),
      leaveOut(named: readonly OptionalField[]) {
        const refused = named.filter((field) => sent.includes(field));
        if (refused.length > 0) refusedFields.add(model, refused);
        return refused.length > 0;
      },
    };
  }
}
