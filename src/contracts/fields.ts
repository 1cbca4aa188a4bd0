import { z } from 'zod';
import { isExactDecimal } from '../domain/exact-decimal.ts';
import { metadataFits, metadataTooLarge } from '../domain/metadata.ts';

/** The fields that many bodies share. Their limits: `spec 1`. */

// Control characters are refused in ids: they would be invisible in a log, a path and the Temporal UI.
const noControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/;

/** Chosen by the caller, matched exactly, case and all. */
export const CallerId = z.string().min(1).max(255).regex(noControlCharacters, 'must not contain control characters');

/** Upper case is the same id: PostgreSQL and Temporal see it in lower case. */
export const Uuid = z.guid().toLowerCase();

export const Timestamp = z.iso.datetime().meta({ description: 'ISO 8601, UTC' });

/** Any JSON object. Its limits (depth, forbidden keys) are those of every body. */
export const JsonObject = z.record(z.string(), z.unknown());

/** One in an answer, checked when it was taken: to copy its members took most of the time of a page of large ones. */
export const KeptObject = z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null);
KeptObject._zod.toJSONSchema = () => z.toJSONSchema(JsonObject, { target: 'openapi-3.0' });

/** `1e400` is JSON but no finite number: it would be kept as null. */
const holdsOnlyNumbers = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(holdsOnlyNumbers)
    : typeof value !== 'number' || Number.isFinite(value);

/** A JSON object from a client. */
export const GivenObject = JsonObject.refine(holdsOnlyNumbers, {
  message: 'Numbers should be finite',
  params: { type: 'finite_number' },
});

/** At most 10,240 bytes as UTF-8 JSON, also after merging. */
export const JobMetadata = GivenObject.refine(metadataFits, { message: metadataTooLarge }).meta({
  description: 'A job has at most 10,240 bytes of it, as UTF-8 JSON',
});

/** A field that may be left out; `null` is the same as leaving it out. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish();

/** Kept exactly as it was sent: what a float would change is refused. */
export const ExactNumber = z
  .number()
  .refine(isExactDecimal, { message: 'Input should have at most 15 significant digits and 15 decimal places' });

export const Limit = z.int().min(1).max(1_000).default(100);
export const Offset = z.int().min(0).max(2_147_483_647).default(0);

/** `YYYY-MM`, UTC. */
export const Period = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$(?!\n)/);

export const Message = z.object({ message: z.string() }).meta({ id: 'Message' });
