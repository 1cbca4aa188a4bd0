const maxLength = 255;

/** Claude Code sends JSON with ids of its device and session, which is no user. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The user of the job that is made for a message. `spec 28.1` */
export function userOf(metadata: { user_id?: string | null } | null | undefined): string | null {
  const user = metadata?.user_id;
  return user && user.length <= maxLength && !isJson(user) ? user : null;
}
