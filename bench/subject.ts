/** One request, as it is sent. */
export interface Shot {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** What is measured: something that speaks HTTP, and what to ask it. */
export interface Subject {
  name: string;
  url: string;
  /** One shot for each request that may be under way at once: in an open job of its own where there are jobs. */
  prepare(lanes: number): Promise<Shot[]>;
  /** The processes whose work it is. */
  pids: number[];
}

export const messages = [{ role: 'user', content: 'Tell me in one sentence what a river is.' }];
export const json = { 'content-type': 'application/json' };
