import { text } from 'node:stream/consumers';
import { checkSync } from 'recheck';

// A program of its own: in the context of a test it takes ten times as long. It reads a JSON array of `[source, flags]`, and
// writes one of how much time each takes at worst.

// In this process, instead of by the programs for other languages that the package brings.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** Bounded by counts and not by time, so that a busy machine comes to the same result. */
const thoroughness = {
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

const judged = (JSON.parse(await text(process.stdin)) as [string, string][]).map(([source, flags]) => {
  const found = checkSync(source, flags, thoroughness);
  if (found.status === 'safe') return 'linear';
  return found.status === 'vulnerable' ? found.complexity.summary : 'unknown';
});
console.log(JSON.stringify(judged));
