/** The name of the admin user who acted in an entry of `entries`, also after they have left: null for who is no user. */
export const userName = (entries: string): string => `coalesce(
  (select u.display_name from admin_users u where u.user_id = ${entries}.user_id),
  (select f.display_name from former_admin_users f where f.user_id = ${entries}.user_id)) as user_name`;
