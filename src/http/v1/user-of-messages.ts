import { CallerId } from '../../contracts/fields.ts';

/**
 * The user of a job by `metadata.user_id` of Messages: null where that is no user id. Agents send a JSON object, with ids of the device
 * and the session. `spec 27.1`
 */
export const userOfMessages = (userId: unknown): string | null =>
  typeof userId === 'string' && CallerId.safeParse(userId).success && !isJson(userId) ? userId : null;

/** An object or a list: a number alone is a usual user id. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
