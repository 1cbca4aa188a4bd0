import { createInterface } from 'node:readline';

/**
 * Serves operations of one client: a request a line on standard input, its result a line on standard output.
 *
 * @param {Record<string, (options: any) => Promise<unknown>>} operations
 */
export async function serve(operations) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, operation, options } = JSON.parse(line);
    const outcome = await operations[operation](options).then(
      (result) => ({ result }),
      (error) => ({ error: describe(error) }),
    );
    process.stdout.write(`${JSON.stringify({ id, ...outcome })}\n`);
  }
}

/** An error that a library has wrapped after its last retry, without that wrapping. */
function describe(error) {
  const { lastError: last = error } = error;
  return {
    type: last.constructor.name,
    status: last.status ?? last.statusCode ?? null,
    code: last.code ?? last.data?.error?.code ?? last.error?.error?.details?.error_code ?? null,
    message: String(last.message).slice(0, 1_000),
  };
}
