/** LiteLLM puts a dictionary into some messages as Python prints it, and clients may show such a message. */
export const dictInPython = (key: string, value: string): string =>
  value.includes("'") ? `{'${key}': "${value}"}` : `{'${key}': '${value}'}`;

/** A number in a header, as Python prints a float: `1.4e-05` where JavaScript has `0.000014`, `0.0` for `0`. */
export function floatInPython(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-4) return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
