/** One request of the driver. */
export interface Shot {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Each answer is that of a job of its own, which ends with it. */
  isJob?: boolean;
}

/** What is measured: an HTTP server and the requests to send to it. */
export interface Subject {
  name: string;
  url: string;
  /** One shot for each request that may be in flight at once: each in an open job of its own, where the subject has jobs. */
  prepare(lanes: number): Promise<Shot[]>;
  /** The processes of the subject, whose CPU and memory count. */
  pids: number[];
}

export const messages = [{ role: 'user', content: 'Tell me in one sentence what a river is.' }];
export const json = { 'content-type': 'application/json' };
