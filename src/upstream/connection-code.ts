/**
 * The code of the error of a connection, such as ECONNREFUSED, ENOTFOUND or CERT_HAS_EXPIRED; undefined if it has none. Node joins the
 * errors of several addresses of a host in one, and its `fetch` wraps them: the code is in the innermost.
 */
export function connectionCode(error: unknown, depth = 0): string | undefined {
  const { code, errors, cause } = (error ?? {}) as { code?: unknown; errors?: unknown; cause?: unknown };
  const inner = Array.isArray(errors) ? errors[0] : cause;
  const ofInner = inner && depth < 3 ? connectionCode(inner, depth + 1) : undefined;
  return ofInner ?? (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code) ? code : undefined);
}
