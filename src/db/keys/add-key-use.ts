/**
 * The CTE that adds to what the key of a job has used today, in the statement that changes the team's balance: `sign` is - for a refund.
 * `changed` has the credits, `job` the key. The key's row is locked because the foreign key would lock it anyway, and fail if it is being
 * deleted: this waits for the deletion and adds nothing. `spec 25.4`
 */
export const addKeyUse = (changed: string, job: string, credits: string, sign: '' | '-' = ''): string => `
  insert into team_key_days (key_id, day, credits_used)
  select k.key_id, (now() at time zone 'utc')::date, ${sign}(${credits})
    from ${changed}, ${job} join team_keys k on k.key_id = ${job}.key_id
     for key share of k
  on conflict (key_id, day) do update set credits_used = team_key_days.credits_used + excluded.credits_used`;
