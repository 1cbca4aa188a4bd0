import { z } from 'zod';
import { newIssue } from '../../contracts/as-sent.ts';
import { document } from '../../contracts/fields.ts';
import { isRawNumber } from '../../domain/formats/exact-json.ts';

/** What vectors are made of: one text or several, the tokens of one, or those of several. `spec 30.1` */
export type EmbeddingsInput = string | string[] | number[] | number[][];

const most = 2_048;

type Path = (string | number)[];
type Issue = z.core.$ZodRawIssue;

const isInteger = (value: unknown): boolean => Number.isInteger(value) || isRawNumber(value);

function problemOfText(value: unknown, path: Path): Issue | undefined {
  if (typeof value !== 'string') return newIssue('string_type', 'Input should be a valid string', path);
  return value === '' ? newIssue('string_too_short', 'String should have at least 1 character', path) : undefined;
}

const problemOfToken = (value: unknown, path: Path): Issue | undefined =>
  isInteger(value) ? undefined : newIssue('int_type', 'Input should be a valid integer', path);

function problemOfTokens(value: unknown, path: Path): Issue | undefined {
  if (!Array.isArray(value)) return newIssue('list_type', 'Input should be a valid list of tokens', path);
  return problemOfItems(value, problemOfToken, path);
}

/** The first problem of a list, none of whose items is of another kind than the first. */
function problemOfItems(items: readonly unknown[], problemOf: typeof problemOfText, path: Path): Issue | undefined {
  if (items.length === 0) return newIssue('too_short', 'List should have at least 1 item', path);
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, [...path, index]);
    if (problem) return problem;
  }
  return undefined;
}

function problemOfInput(input: unknown): Issue | undefined {
  if (input === undefined || input === null) return newIssue('missing', 'Field required');
  if (typeof input === 'string') return problemOfText(input, []);
  if (!Array.isArray(input)) return newIssue('string_type', 'Input should be a valid string or a list');
  const [first] = input;
  if (isInteger(first)) return problemOfItems(input, problemOfToken, []);
  if (input.length > most) return newIssue('too_long', `List should have at most ${most} items`);
  return problemOfItems(input, Array.isArray(first) ? problemOfTokens : problemOfText, []);
}

const tokens = z.array(z.int()).min(1);

export const Input = z.custom<EmbeddingsInput>().superRefine((input, context) => {
  const problem = problemOfInput(input);
  if (problem) context.issues.push(problem);
});
document(
  Input,
  z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(most), tokens, z.array(tokens).min(1).max(most)]),
);

/** How many vectors the input is for. */
export const countInputs = (input: EmbeddingsInput): number =>
  typeof input === 'string' || typeof input[0] === 'number' || isRawNumber(input[0]) ? 1 : input.length;

/** How many tokens a client has counted itself; undefined for texts. */
export function countTokens(input: EmbeddingsInput): number | undefined {
  if (typeof input === 'string' || typeof input[0] === 'string') return undefined;
  return Array.isArray(input[0]) ? (input as number[][]).reduce((sum, one) => sum + one.length, 0) : input.length;
}
