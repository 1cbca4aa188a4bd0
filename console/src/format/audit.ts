/** `cancelled_job` is `Cancelled job`. */
export const actionSentence = (action: string): string => {
  const words = action.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const phrases: Record<string, string> = {
  accepted_invitation: 'accepted the invitation to',
  adjusted_credits: 'adjusted the credits of',
  allocated_credits: 'allocated credits to',
  changed_password: 'changed the password of',
  disabled_second_factor: 'switched off the second factor of',
  enabled_second_factor: 'switched on the second factor of',
  ended_previous_keys: 'ended the previous keys of',
  ended_other_sessions: 'ended the other sessions of',
  ended_team_view: 'ended the view of',
  ended_session: 'ended a session of',
  failed_login: 'failed to sign in as',
  failed_password_change: 'failed to change the password of',
  invited_user: 'invited',
  failed_second_factor_change: 'failed to change the second factor of',
  login: 'signed in',
  logout: 'signed out',
  opened_team_view: 'viewed the console as',
  ran_playground: 'ran a prompt with',
  read_call_payload: 'read the texts of the call',
  deleted_own_account: 'left, and deleted the account of',
  deleted_payloads: 'deleted the texts of the calls of',
  stopped_call: 'stopped a call of',
  erased_user: 'erased a user from the jobs of',
  redelivered_webhook: 'sent events again to the webhook',
  refunded_credits: 'refunded credits to',
  renewed_invitation: 'made a new link for the invitation of',
  repeated_answer: 'was given a stored answer again for the request',
  reset_owner: 'reset the owner',
  reset_second_factor: 'took away the second factor of',
  resumed_team: 'resumed the team',
  revealed_key: 'revealed the key of',
  rotated_key: 'rotated the key of',
  setup_owner: 'set up the owner',
  suspended_team: 'suspended the team',
  updated_conversion_rates: 'changed the conversion rates of',
  updated_team_model_groups: 'changed the model groups of',
  updated_price: 'changed the price of the job type',
  deleted_price: 'deleted the price of the job type',
  withdrew_invitation: 'withdrew the invitation of',
  used_recovery_code: 'used a recovery code of',
  viewed_key: 'was given the key of',
};

/** What stands between who has acted and what it was done to: `created the team`. */
export const actionPhrase = (action: string): string => {
  const known = phrases[action];
  if (known) return known;
  const [verb = action, ...noun] = action.split('_');
  return noun.length === 0 ? verb : `${verb} the ${noun.join(' ')}`;
};
