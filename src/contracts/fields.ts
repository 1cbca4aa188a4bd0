import { z } from 'zod';
import { isExactDecimal } from '../domain/formats/exact-decimal.ts';
import { pathToRawNumber } from '../domain/formats/exact-json.ts';
import { metadataFits, metadataTooLarge } from '../domain/metadata.ts';

/** The fields that many bodies share. Their limits: `spec 1`. */

// Control characters are refused in ids: they would be invisible in a log, a path and the Temporal UI.
export const noControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** The caller chooses the id. It is matched exactly, case and all. */
export const CallerId = z.string().min(1).max(255).regex(noControlCharacters, 'must not contain control characters');

/** The id of something new. URLs end before `.` and `..`, encoded or not, so that a path could never name it. */
export const NewCallerId = CallerId.regex(/^(?!\.{1,2}$)/, 'must not be . or .., which a URL cannot carry');

/** Upper case is the same id: PostgreSQL and Temporal see it in lower case. */
export const Uuid = z.guid().toLowerCase();

/** A moment, described by its meaning: `timestamp('When it was created')`. */
export const timestamp = (meaning: string, example = '2026-01-31T09:30:00.000Z') =>
  z.iso.datetime().meta({ description: `${meaning}. ISO 8601, UTC`, example });

/** One of these words. Generated clients have one type of this name for it, wherever it is used. */
export const namedEnum = <const Words extends readonly string[]>(
  id: string,
  words: Words,
  shown: { description?: string; example?: string } = {},
) => z.enum(words).meta({ id, ...shown });

/** Several of these words in a query, as one text with commas or as a parameter that is given several times. */
export function namedList<const Words extends readonly string[]>(id: string, words: Words) {
  const isWord = (text: string): text is Words[number] => words.includes(text);
  const text = z
    .string()
    .max(1_000)
    .refine((given) => given.split(',').every(isWord), {
      message: `Input should be some of ${words.join(', ')}`,
    });
  const schema = z
    .preprocess((given) => (Array.isArray(given) ? given.join(',') : given), text)
    .transform((given) => given.split(',').filter(isWord));
  document(schema, z.array(namedEnum(id, words)).meta({ explode: false }));
  return schema;
}

/**
 * Gives a schema, and its copies with a description, the documentation of another one. Zod would look for it in the schema that this
 * one was made from too.
 */
export function document(schema: z.ZodType, shown: z.ZodType): void {
  delete schema._zod.parent;
  schema._zod.toJSONSchema = () =>
    z.toJSONSchema(shown, { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' });
  const describe = schema.describe.bind(schema);
  schema.describe = (description) => {
    const copy = describe(description);
    document(copy, shown);
    return copy;
  };
}

/** What an answer has of these kinds, with its meaning and an example. */
export const text = (description: string, example: string) => z.string().meta({ description, example });
export const int = (description: string, example: number) => z.int().meta({ description, example });
export const guid = (description: string, example: string) => z.guid().meta({ description, example });
export const texts = (description: string, example: string[]) => z.array(z.string()).meta({ description, example });

/** Any JSON object. Its limits (depth, forbidden keys) are those of every body. */
export const JsonObject = z.record(z.string(), z.unknown());

/** One in an answer, checked when it was taken: to copy its members took most of the time of a page of large ones. */
export function keptObject(description: string) {
  const schema = z
    .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null)
    .register(z.globalRegistry, { description });
  schema._zod.toJSONSchema = () => z.toJSONSchema(JsonObject, { target: 'openapi-3.0' });
  return schema;
}

/** `1e400` is JSON but no finite number: it would be stored as null. */
const holdsOnlyNumbers = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(holdsOnlyNumbers)
    : typeof value !== 'number' || Number.isFinite(value);

/** A JSON object from a client that is only forwarded. */
export const GivenObject = JsonObject.refine(holdsOnlyNumbers, {
  message: 'Numbers should be finite',
  params: { type: 'finite_number' },
});

/** A JSON object from a client that is stored. JSON in PostgreSQL and in answers is read with doubles, which cannot hold every integer. */
export const StoredObject = GivenObject.superRefine((object, context) => {
  const path = pathToRawNumber(object);
  if (path)
    context.addIssue({
      code: 'custom',
      message: 'Integers beyond 2^53 cannot be stored exactly: send a string',
      path,
      input: object,
    });
});

/** The metadata has at most 10,240 bytes as UTF-8 JSON, also after merging. */
export const JobMetadata = StoredObject.refine(metadataFits, { message: metadataTooLarge }).describe(
  'Any JSON object of the client. Merged key by key into the metadata that the job has: a key that is sent replaces the old ' +
    'value, and null is a value. At most 10,240 bytes after the merge, as UTF-8 JSON',
);

/** An optional field; `null` is the same as omitting it. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish();

/** The number is stored exactly as it was sent. One that a double would change is refused. */
export const ExactNumber = z
  .number()
  .refine(isExactDecimal, { message: 'Input should have at most 15 significant digits and 15 decimal places' });

export const Limit = z.int().min(1).max(1_000).default(100).describe('How many entries to return at most');
export const Offset = z
  .int()
  .min(0)
  .max(2_147_483_647)
  .default(0)
  .describe('How many entries to skip before the first');

/** What a person types to find something. */
export const SearchText = z.string().min(1).max(255).regex(noControlCharacters, 'must not contain control characters');

/** `YYYY-MM`, UTC. */
export const Period = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$(?!\n)/)
  .describe('A calendar month, UTC: `YYYY-MM`');

export const message = text(
  'A sentence for people that confirms what was done. Its wording may change',
  '2 sessions ended successfully',
);
export const Message = z.object({ message }).meta({ id: 'Message' });
