import { text } from 'node:stream/consumers';
import { checkSync } from 'recheck';

// A program of its own: in the context of a test it takes ten times as long. It reads a JSON array of `[source, flags]`, and
// prints a JSON array with the worst-case time of each.

// Runs the check in this process instead of the native programs of the package.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** Limits by counts, not by time, so that a busy machine has the same result. */
const limits = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  mutationTimeout: null,
  attackTimeout: null,
  recallTimeout: -1,
  incubationLimit: 3_000,
  attackLimit: 1_000_000,
  maxAttackStringSize: 5_000,
  maxGeneStringSize: 1_000,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  mutationSize: 20,
  crossoverSize: 10,
  maxIteration: 2,
};

const times = (JSON.parse(await text(process.stdin)) as [string, string][]).map(([source, flags]) => {
  const found = checkSync(source, flags, limits);
  if (found.status === 'safe') return 'linear';
  return found.status === 'vulnerable' ? found.complexity.summary : 'unknown';
});
console.log(JSON.stringify(times));
