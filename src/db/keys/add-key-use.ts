/**
 * The CTE that adds credits to what a key has used today, in the statement that changes the balance of its team. `source` has the
 * `key_id` of the job; `credits` is what was charged, or with a minus what was refunded. The key's row is locked because the foreign key
 * would lock it anyway, and fail if it is being deleted: this waits for the deletion and adds nothing. See decision 112. `spec 25.4`
 */
export const addKeyUse = (source: string, credits: string): string => `
  insert into team_key_days (key_id, day, credits_used)
  select k.key_id, (now() at time zone 'utc')::date, ${credits}
    from ${source} join team_keys k on k.key_id = ${source}.key_id and ${credits} <> 0
     for key share of k
  on conflict (key_id, day) do update set credits_used = team_key_days.credits_used + excluded.credits_used`;
