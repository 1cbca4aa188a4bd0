import { type Behaviour, type Phase, plainBehaviour } from './behaviour.ts';
import { readModelName } from './read-model-name.ts';

/** `subject`: the model, or the path (`/team/new`), whose requests the script applies to. */
export type Script = Phase & { subject: string };

/** Names come from callers: beyond this number the counters of the oldest names are deleted. */
const countedNames = 10_000;

/** Selects the behaviour of each request: from the first script for its model, else from the model's name. */
export class BehaviourScripts {
  private scripts: Script[] = [];
  private readonly seen = new Map<string, number>();
  private readonly defaults: Partial<Behaviour>;

  constructor(defaults: Partial<Behaviour>) {
    this.defaults = defaults;
  }

  add(script: Script): void {
    this.scripts.push(script);
  }

  list(): Script[] {
    return this.scripts;
  }

  /** Deletes the scripts and the request counters of model names. */
  clear(): void {
    this.scripts = [];
    this.seen.clear();
  }

  /** The behaviour of the next request for this model. undefined: the name is not valid. */
  next(model: string): Behaviour | undefined {
    const phase = this.consumeScript(model) ?? this.phaseOfName(model);
    return phase && { ...plainBehaviour, ...this.defaults, ...phase };
  }

  /** The behaviour of the next request to this path, where a script has one. */
  nextForPath(path: string): Behaviour | undefined {
    const phase = this.consumeScript(path);
    return phase && { ...plainBehaviour, ...phase };
  }

  private consumeScript(subject: string): Partial<Behaviour> | undefined {
    const script = this.scripts.find((candidate) => candidate.subject === subject);
    if (!script) return undefined;
    script.times -= 1;
    if (script.times <= 0) this.scripts = this.scripts.filter((candidate) => candidate !== script);
    return script.behaviour;
  }

  private phaseOfName(model: string): Partial<Behaviour> | undefined {
    const phases = readModelName(model);
    if (!phases || phases.length === 1) return phases?.[0]?.behaviour;
    let remaining = this.countName(model);
    for (const { times, behaviour } of phases) {
      if (remaining < times) return behaviour;
      remaining -= times;
    }
    return {};
  }

  private countName(model: string): number {
    const before = this.seen.get(model) ?? 0;
    this.seen.set(model, before + 1);
    const oldest = this.seen.size > countedNames ? this.seen.keys().next().value : undefined;
    if (oldest !== undefined) this.seen.delete(oldest);
    return before;
  }
}

/** Adds the phases of a behaviour, or of a model name of the grammar. Returns their number; 0 for an invalid name. */
export function addScript(
  scripts: BehaviourScripts,
  subject: string,
  behaviour: Partial<Behaviour> | string,
  times = Number.POSITIVE_INFINITY,
): number {
  const phases = typeof behaviour === 'string' ? readModelName(behaviour) : [{ times, behaviour }];
  for (const phase of phases ?? []) scripts.add({ ...phase, subject, times: Math.min(times, phase.times) });
  return phases?.length ?? 0;
}
