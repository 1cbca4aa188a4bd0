/**
 * Types of the platform, without a need for those of the DOM or of Node.js: a project that has neither gets the few members that are used.
 */

interface SignalMembers {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

type Given<Name extends string, Else> = typeof globalThis extends { [name in Name]: { prototype: infer Type } }
  ? Type
  : Else;

/** The platform's own `AbortSignal`. */
export type Signal = Given<'AbortSignal', SignalMembers>;

/** The platform's own `Response`. */
export type Answer = Given<'Response', object>;

/** The platform's own `fetch`, or a function that takes and returns the same. */
export type Fetch = typeof globalThis extends { fetch: infer Type }
  ? Type
  : (url: string, init: object) => Promise<object>;

/** The platform's own `Headers`, or what Node.js, Express and others have as the headers of a request. */
export type HeaderSource =
  | Record<string, string | readonly string[] | undefined>
  | { get(name: string): string | null | undefined };

/** A variable of the environment, where there is one. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
