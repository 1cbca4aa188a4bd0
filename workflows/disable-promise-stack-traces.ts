/**
 * For the query `__stack_trace`, Temporal's SDK records where each promise of a workflow was created. For each promise it
 * compiles `return globalThis.Error` and, twice, `return globalThis.__TEMPORAL_ACTIVATOR__` with the constructor of the
 * promise's constructor, and takes a stack: a quarter of the workflow thread's time, for a query that nobody sends. Here the
 * SDK gets these values without compiling, and an `Error` class without a stack, so that it records nothing. Real errors have
 * their stacks. Preloaded, because it has to run before the SDK freezes the sandbox, and once for all workflows of a thread.
 */
const compile = Promise.constructor as FunctionConstructor;

class ErrorWithoutStack {}

const compiled: Record<string, () => unknown> = {
  'return globalThis.Error': () => ErrorWithoutStack,
  'return globalThis.__TEMPORAL_ACTIVATOR__': () =>
    (globalThis as { __TEMPORAL_ACTIVATOR__?: unknown }).__TEMPORAL_ACTIVATOR__,
};

Object.defineProperty(Promise, 'constructor', { value: (source: string) => compiled[source] ?? compile(source) });

export {};
