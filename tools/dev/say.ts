/** Prints a line for the person at the terminal. A function, so that the tests' set-up can keep quiet. */
export type Say = (line: string) => void;

export const sayAloud: Say = (line) => process.stdout.write(`${line}\n`);

/** Runs a step that may take long: says so when it begins, again every 15 s, and nothing when it was quick. */
export async function sayWhileWaiting<Result>(say: Say, what: string, step: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  say(`  ${what} …`);
  const timer = setInterval(
    () => say(`  ${what} … ${Math.round((performance.now() - began) / 1_000)} s so far`),
    15_000,
  );
  try {
    return await step();
  } finally {
    clearInterval(timer);
  }
}
