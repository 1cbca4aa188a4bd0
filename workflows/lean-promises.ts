/**
 * Temporal's SDK notes for the query `__stack_trace` where each promise of a workflow was made. For that it compiles, for
 * each promise, `return globalThis.Error` and twice `return globalThis.__TEMPORAL_ACTIVATOR__` with the constructor of the
 * promise's constructor, and takes a stack: a quarter of the workflow thread's time, for a query that nobody sends. Here the
 * SDK gets what it asks for without compiling, and an `Error` without a stack, of which it notes nothing. Real errors keep
 * their stacks. Preloaded: it has to run before the SDK freezes the sandbox, and once for all workflows of a thread.
 */
const compile = Promise.constructor as FunctionConstructor;

class Unnoted {}

const answers: Record<string, () => unknown> = {
  'return globalThis.Error': () => Unnoted,
  'return globalThis.__TEMPORAL_ACTIVATOR__': () =>
    (globalThis as { __TEMPORAL_ACTIVATOR__?: unknown }).__TEMPORAL_ACTIVATOR__,
};

Object.defineProperty(Promise, 'constructor', { value: (source: string) => answers[source] ?? compile(source) });

export {};
