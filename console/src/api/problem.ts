/** Why a request failed, as it is shown in place. */
export class Problem extends Error {
  /** The status of the answer; 0 where no answer arrived. */
  readonly status: number;
  readonly requestId: string | null;
  /** The reason for each field of the body that was refused. */
  readonly fields: Readonly<Record<string, string>>;
  /** The thing does not exist: no one has this id, or the text cannot be an id. */
  readonly isNotFound: boolean;
  /** The reason, for programs; undefined where no answer of the service arrived. */
  readonly code: string | undefined;

  constructor(
    status: number,
    message: string,
    requestId: string | null,
    fields: Record<string, string> = {},
    isNotFound = false,
    code?: string,
  ) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.requestId = requestId;
    this.fields = fields;
    this.isNotFound = isNotFound;
    this.code = code;
  }
}

/** Whether the same request may succeed soon: there was no answer, or the service was not ready. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Problem && [0, 429, 502, 503, 504].includes(error.status);

interface Item {
  loc: (string | number)[];
  msg: string;
}

/** The error of an answer: `detail` is a sentence, or for a 422 a list of fields. */
export function toProblem(status: number, body: unknown, requestId: string | null): Problem {
  const { detail, code } = (body ?? {}) as { detail?: string | Item[]; code?: string };
  if (typeof detail === 'string') return new Problem(status, detail, requestId, {}, status === 404, code);
  if (!Array.isArray(detail)) return new Problem(status, `The service answered ${status}`, requestId);
  const fields = Object.fromEntries(detail.map(({ loc, msg }) => [String(loc.at(-1)), msg]));
  const sentence = Object.entries(fields).map(([name, message]) => `${name}: ${message}`);
  return new Problem(
    status,
    sentence.join('; '),
    requestId,
    fields,
    detail.some(({ loc }) => loc[0] === 'path'),
  );
}
