import { createHash } from 'node:crypto';

/**
 * A name makes it prepared: parsed once for each connection, and kept there for as long as the connection lives. So there may
 * only be a fixed, small number of names.
 */
export interface Statement {
  name?: string;
  /** The text as PostgreSQL receives it, with `$1`, `$2`, … for its parameters. */
  text: string;
  /** The names of `$1`, `$2`, …. */
  parameters: readonly string[];
}

/** The values of a statement by the names of its parameters. */
export type Values = Readonly<Record<string, unknown>>;

/** PostgreSQL cuts names there, and two that begin alike would be the same statement. */
const maxNameCharacters = 63;

/** `:job_id`, but not the cast `::uuid`. */
const namedParameter = /(?<![:\w]):([a-z]\w*)/g;

/**
 * A statement whose text depends on the input, or that the ORM sends: the server parses it each time and keeps nothing of it.
 * `unnamed('select … where job_id = :job_id')` is run with `{ job_id }`.
 */
export function unnamed(text: string): Statement {
  if (/\$\d/.test(text)) throw new Error(`statements use named parameters (:name), not positions ($1): ${text}`);
  const parameters: string[] = [];
  const positioned = text.replaceAll(namedParameter, (_, parameter: string) => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { text: positioned, parameters };
}

/** A prepared statement. */
export const statement = (name: string, text: string): Statement => ({
  name: name.length <= maxNameCharacters ? name : createHash('sha1').update(name).digest('hex'),
  ...unnamed(text),
});

/** The values in the order of the statement's parameters. Throws for a parameter that is missing, or that it does not have. */
export function bind({ name = 'without a name', parameters }: Statement, values: Values): unknown[] {
  const unknown = Object.keys(values).find((given) => !parameters.includes(given));
  if (unknown !== undefined) throw new Error(`statement ${name} has no parameter :${unknown}`);
  return parameters.map((parameter) => {
    if (values[parameter] === undefined) throw new Error(`statement ${name} needs the parameter :${parameter}`);
    return values[parameter];
  });
}
