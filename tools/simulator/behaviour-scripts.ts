import { type Behaviour, type Phase, plainBehaviour } from './behaviour.ts';
import { readModelName } from './read-model-name.ts';

/** `subject`: the model whose chats the script is about, or the path (`/team/new`) whose requests. */
export type Script = Phase & { subject: string };

/** Names come from callers; beyond this many the oldest begin again. */
const countedNames = 10_000;

/** Decides how each request is treated: by the first script that still holds for its model, else by the model's name. */
export class BehaviourScripts {
  private scripts: Script[] = [];
  private readonly seen = new Map<string, number>();
  private readonly usual: Partial<Behaviour>;

  constructor(usual: Partial<Behaviour>) {
    this.usual = usual;
  }

  add(script: Script): void {
    this.scripts.push(script);
  }

  list(): Script[] {
    return this.scripts;
  }

  /** Forgets the scripts, and how often each name was asked for. */
  clear(): void {
    this.scripts = [];
    this.seen.clear();
  }

  /** How the next request for this model is treated. undefined: its name cannot be read. */
  next(model: string): Behaviour | undefined {
    const phase = this.takeScript(model) ?? this.phaseOfName(model);
    return phase && { ...plainBehaviour, ...this.usual, ...phase };
  }

  /** The behaviour that a script has for the next request to this path. */
  nextForPath(path: string): Behaviour | undefined {
    const phase = this.takeScript(path);
    return phase && { ...plainBehaviour, ...phase };
  }

  private takeScript(subject: string): Partial<Behaviour> | undefined {
    const script = this.scripts.find((candidate) => candidate.subject === subject);
    if (!script) return undefined;
    script.times -= 1;
    if (script.times <= 0) this.scripts = this.scripts.filter((candidate) => candidate !== script);
    return script.behaviour;
  }

  private phaseOfName(model: string): Partial<Behaviour> | undefined {
    const phases = readModelName(model);
    if (!phases || phases.length === 1) return phases?.[0]?.behaviour;
    let left = this.countName(model);
    for (const { times, behaviour } of phases) {
      if (left < times) return behaviour;
      left -= times;
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

/** Adds the phases of a behaviour, or of a model name of the grammar, and returns how many; 0 for a name that cannot be read. */
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
