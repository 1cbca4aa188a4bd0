import { maxWaitSeconds } from '../contracts/job-calls.ts';

/** What a request prefers by `Prefer` (RFC 7240), as far as this service knows it. */
export interface Preference {
  /** Milliseconds to wait for the ordinary answer, before the 202. */
  waitMs: number;
}

/**
 * The preference `respond-async`, with its `wait`; undefined without it. Other preferences, and a `wait` that is no whole number up to 60,
 * are ignored. `spec 26.1`
 */
export function readPreference(header: string | string[] | undefined): Preference | undefined {
  const preferences = new Map<string, string>();
  for (const preference of [header ?? []].flat().join(',').split(',')) {
    const [name = '', value = ''] = preference.split(';')[0]!.split('=');
    const key = name.trim().toLowerCase();
    // Of a preference that is given twice the first one counts.
    if (!preferences.has(key)) preferences.set(key, value.trim().replace(/^"(.*)"$/, '$1'));
  }
  if (preferences.get('respond-async') === undefined) return undefined;
  const wait = preferences.get('wait') ?? '';
  const seconds = /^\d{1,2}$/.test(wait) ? Number(wait) : 0;
  return { waitMs: seconds <= maxWaitSeconds ? seconds * 1_000 : 0 };
}
