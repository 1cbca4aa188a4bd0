import { createHash } from 'node:crypto';

/**
 * A name makes it prepared: parsed once for each connection, and kept there for as long as the connection lives. So there may
 * only be a fixed, small number of names.
 */
export interface Statement {
  name?: string;
  text: string;
  /** The names of `$1`, `$2`, … of a text with named parameters. */
  parameters?: readonly string[];
}

/** By name, or for a statement with positions (`$1`) in their order. */
export type Values = Readonly<Record<string, unknown>> | readonly unknown[];

/** PostgreSQL cuts names there, and two that begin alike would be the same statement. */
const longestName = 63;

/** `:job_id`, but not the cast `::uuid`. */
const namedParameter = /(?<![:\w]):([a-z_]+)/g;

/** A prepared statement. `statement('find_job', 'select … where job_id = :job_id')` is run with `{ job_id }`. */
export function statement(name: string, text: string): Statement {
  const parameters: string[] = [];
  if (text.search(namedParameter) >= 0 && /\$\d/.test(text)) throw new Error(`statement ${name} has both :name and $1`);
  const positioned = text.replaceAll(namedParameter, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return {
    name: name.length <= longestName ? name : createHash('sha1').update(name).digest('hex'),
    text: positioned,
    ...(parameters.length > 0 && { parameters }),
  };
}

/** For a text that depends on the input: the server parses it each time and keeps nothing of it. */
export const unnamed = (text: string): Statement => ({ text });

/** The values in the order of the statement's parameters. Throws for a parameter that is missing, or that it does not have. */
export function bind({ name, parameters }: Statement, values: Values): unknown[] {
  if (Array.isArray(values)) {
    if (parameters) throw new Error(`statement ${name} takes its values by name`);
    return [...values];
  }
  const named = values as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(named).find((given) => !parameters?.includes(given));
  if (unknown !== undefined) throw new Error(`statement ${name} has no parameter :${unknown}`);
  return (parameters ?? []).map((parameter) => {
    if (named[parameter] === undefined) throw new Error(`statement ${name} needs the parameter :${parameter}`);
    return named[parameter];
  });
}
