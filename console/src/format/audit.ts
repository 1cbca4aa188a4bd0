/** `cancelled_job` is `Cancelled job`. */
export const actionSentence = (action: string): string => {
  const words = action.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const phrases: Record<string, string> = {
  adjusted_credits: 'adjusted the credits of',
  allocated_credits: 'allocated credits to',
  changed_password: 'changed the password of',
  ended_previous_keys: 'ended the previous keys of',
  ended_other_sessions: 'ended the other sessions of',
  ended_session: 'ended a session of',
  failed_login: 'failed to sign in as',
  failed_password_change: 'failed to change the password of',
  login: 'signed in',
  logout: 'signed out',
  ran_playground: 'ran a prompt with',
  read_call_payload: 'read the texts of the call',
  deleted_payloads: 'deleted the texts of the calls of',
  stopped_call: 'stopped a call of',
  erased_user: 'erased a user from the jobs of',
  redelivered_webhook: 'sent events again to the webhook',
  refunded_credits: 'refunded credits to',
  repeated_answer: 'was given a stored answer again for the request',
  reset_owner: 'reset the owner',
  resumed_team: 'resumed the team',
  revealed_key: 'revealed the key of',
  rotated_key: 'rotated the key of',
  setup_owner: 'set up the owner',
  suspended_team: 'suspended the team',
  updated_conversion_rates: 'changed the conversion rates of',
  updated_team_model_groups: 'changed the model groups of',
  updated_price: 'changed the price of the job type',
  deleted_price: 'deleted the price of the job type',
  viewed_key: 'was given the key of',
};

/** What stands between who has acted and what it was done to: `created the team`. */
export const actionPhrase = (action: string): string => {
  const known = phrases[action];
  if (known) return known;
  const [verb = action, ...noun] = action.split('_');
  return noun.length === 0 ? verb : `${verb} the ${noun.join(' ')}`;
};
