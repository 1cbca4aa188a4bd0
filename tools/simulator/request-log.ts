/** One request that the simulator received. `outcome` is `aborted` when the client disconnected before the answer was complete. */
export type LoggedRequest = {
  seq: number;
  at: string;
  method: string;
  path: string;
  model: string | null;
  user: string | null;
  /** The bearer token, as it came. */
  key: string | null;
  /** The header `X-Request-Id`. */
  request_id: string | null;
  /** The headers of W3C's trace context. */
  traceparent: string | null;
  tracestate: string | null;
  stream: boolean;
  body: unknown;
  status: number | null;
  outcome: 'running' | 'answered' | 'broken' | 'aborted';
  aborted: boolean;
};

export type Counts = {
  total: number;
  aborted: number;
  broken: number;
  running: number;
  paths: Record<string, number>;
  models: Record<string, number>;
};

const maxRequests = 10_000;
const maxBodyBytes = 64 * 1_048_576;
/** Names come from callers: without a bound their counters could fill the memory. */
const maxNames = 10_000;

export class RequestLog {
  private readonly entries = new Map<number, { entry: LoggedRequest; bytes: number }>();
  private seq = 0;
  private clearedAt = 0;
  private bytes = 0;
  private ended = { answered: 0, broken: 0, aborted: 0 };
  private readonly paths = new Map<string, number>();
  private readonly models = new Map<string, number>();

  add(request: Omit<LoggedRequest, 'seq' | 'at' | 'status' | 'outcome' | 'aborted'>, bytes: number) {
    this.seq += 1;
    const entry: LoggedRequest = {
      seq: this.seq,
      at: new Date().toISOString(),
      ...request,
      status: null,
      outcome: 'running',
      aborted: false,
    };
    this.entries.set(entry.seq, { entry, bytes });
    this.bytes += bytes;
    increment(this.paths, request.path);
    if (request.model !== null) increment(this.models, request.model);
    this.removeOldest();
    return entry;
  }

  end(entry: LoggedRequest, outcome: 'answered' | 'broken' | 'aborted', status: number | null): void {
    if (entry.outcome !== 'running') return;
    Object.assign(entry, { outcome, status, aborted: outcome === 'aborted' });
    if (entry.seq > this.clearedAt) this.ended[outcome] += 1;
  }

  list(filter: Partial<Pick<LoggedRequest, 'model' | 'user' | 'path' | 'key'>> = {}): LoggedRequest[] {
    const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
    return [...this.entries.values()]
      .map(({ entry }) => entry)
      .filter((entry) => conditions.every(([field, value]) => entry[field as keyof LoggedRequest] === value));
  }

  counts(): Counts {
    const { answered, broken, aborted } = this.ended;
    const total = this.seq - this.clearedAt;
    return {
      total,
      aborted,
      broken,
      running: total - answered - broken - aborted,
      paths: Object.fromEntries(this.paths),
      models: Object.fromEntries(this.models),
    };
  }

  /** A request that is in progress continues, and is not counted when it ends. */
  clear(): void {
    this.entries.clear();
    this.bytes = 0;
    this.clearedAt = this.seq;
    this.ended = { answered: 0, broken: 0, aborted: 0 };
    this.paths.clear();
    this.models.clear();
  }

  private removeOldest(): void {
    for (const [seq, { bytes }] of this.entries) {
      if (this.entries.size <= maxRequests && this.bytes <= maxBodyBytes) return;
      this.entries.delete(seq);
      this.bytes -= bytes;
    }
  }
}

function increment(counters: Map<string, number>, name: string): void {
  if (!counters.has(name) && counters.size >= maxNames) return;
  counters.set(name, (counters.get(name) ?? 0) + 1);
}
