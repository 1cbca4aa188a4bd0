import { z } from 'zod';
import { DayOrMoment } from './date-range.ts';
import { namedEnum, timestamp } from './fields.ts';
import { requestFields } from './shared-fields.ts';

/** The range of figures. `spec 19.40` */

const dates = {
  from: DayOrMoment.optional().meta({
    description: 'First day or moment of the range: an ISO 8601 date or date-time, UTC without an offset',
    example: '2026-01-01',
  }),
  to: DayOrMoment.optional().meta({
    description: 'Last day or moment of the range: as `from`; a date without a time lasts to the end of its day, UTC',
    example: '2026-01-31',
  }),
};

export const FigureRange = z.object(dates);

/** The scope of figures: an admin sees those of everybody. */
export const FigureScope = z.object({
  ...dates,
  team_id: requestFields.team_id
    .optional()
    .describe(
      "Only figures of this team, for an admin; a virtual key may name its own team's only, which is the default",
    ),
  organization_id: requestFields.organization_id
    .optional()
    .describe("Only figures of this organization, for an admin; a virtual key may name its own team's only"),
});

/** The range in a response. */
export const responseRange = {
  from: timestamp('First moment of the range'),
  to: timestamp('First moment after the range'),
};

/** `spec 19.75` */
export const compare = namedEnum('Comparison', ['none', 'previous'])
  .default('none')
  .describe(
    '`previous`: the answer also has the figures of the period before. That of whole calendar months are as many months before, that of ' +
      'the beginning of a month the beginning of the month before, and else the same length before',
  );

/** The period that an answer compares with. */
export const previousRange = {
  from: timestamp('First moment of the period before', '2025-12-01T00:00:00.000Z'),
  to: timestamp('First moment after it', '2026-01-01T00:00:00.000Z'),
};

export const completeUntil = timestamp(
  'Everything that was recorded before this moment is in the figures. What is still under way may be missing',
);

/** One figure with the period before it. */
export const figure = <T extends z.ZodType>(value: T, meaning: string) =>
  z
    .object({
      value: value.describe(`${meaning}, in the range`),
      previous: value.describe('The same in the period of the same length before the range'),
      spark: z
        .array(value.nullable())
        .describe('The same for each bucket of the range, oldest first; null where nothing is known yet'),
    })
    .describe(meaning);
