/** Which process runs where; `pid` is null for what was configured and not started by us. The addresses of database and Redis contain their passwords. */
export type RunFile = {
  api: { pid: number | null; url: string };
  worker: { pid: number | null };
  postgres: { pid: number | null; url: string };
  redis: { pid: number | null; url: string };
  temporal: { pid: number | null; address: string; ui_url: string | null };
  upstream: { pid: number | null; url: string };
};
