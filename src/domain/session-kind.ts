/**
 * How the token of an admin's session may be sent: in the cookie that a sign-in to the console has set, or as a bearer token. Sent
 * in the other way it is no credential: a cookie has an idle time, the rule against other pages, and masked keys. `spec 19.3`
 */
export const sessionKinds = ['cookie', 'token'] as const;
export type SessionKind = (typeof sessionKinds)[number];
