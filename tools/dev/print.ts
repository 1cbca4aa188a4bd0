/** Prints a line for the person at the terminal. A parameter of the functions that print, so that tests can print nothing. */
export type Print = (line: string) => void;

export const printLine: Print = (line) => process.stdout.write(`${line}\n`);

/** Runs a step that may take long: prints its name when it begins, or later if it is often done by then, and the time that has passed every 15 s. */
export async function printWhileRunning<Result>(
  print: Print,
  name: string,
  step: () => Promise<Result>,
  afterMs = 0,
): Promise<Result> {
  const startedAt = performance.now();
  const begun = setTimeout(() => print(`  ${name} …`), afterMs);
  const timer = setInterval(
    () => print(`  ${name} … ${Math.round((performance.now() - startedAt) / 1_000)} s so far`),
    15_000,
  );
  try {
    return await step();
  } finally {
    clearTimeout(begun);
    clearInterval(timer);
  }
}
