import { z } from 'zod';
import { isTimeZone } from '../domain/time/buckets.ts';
import { namedEnum } from './fields.ts';

/** The longest name of the time zone database has 32 characters. */
const TimeZone = z
  .string()
  .max(64, { abort: true })
  .refine(isTimeZone, { message: 'Input should be the name of a time zone, such as Europe/Berlin' });

/** The parameters of a list that is also a file: `spec 19.66`. */
export const csvFormat = {
  format: namedEnum('ListFormat', ['json', 'csv'])
    .default('json')
    .describe('`csv`: a file with every row from the page on to the end of the list, whatever `limit` is'),
  tz: TimeZone.default('UTC').meta({
    description: 'Time zone of the times in a CSV file, which are ISO 8601 with its offset',
    example: 'Europe/Berlin',
  }),
};
