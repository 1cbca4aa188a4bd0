/** How the request of a call is sent, and what is read of its answer, beyond what every call has. */
export interface CallOptions {
  /** Fields of the client that the endpoint does not know. Those go upstream that the model permits. */
  extra?: Record<string, unknown>;
  /** `all`: reasoning and annotations are a part of the answer too. */
  parts?: 'all';
}
