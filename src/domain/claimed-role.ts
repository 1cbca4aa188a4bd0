import { type AdminRole, adminRoles } from './admin-roles.ts';

/** The values of a claim that give a role. */
export type RolesByClaim = readonly { role: AdminRole; value: string }[];

/** A claim by its name, which may be a URL, or by a path of names: `realm_access.roles`. */
function readClaim(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Whether the claim is there at all. */
export const hasClaim = (claims: Readonly<Record<string, unknown>>, name: string): boolean =>
  readClaim(claims, name) !== undefined;

/** The highest role that a value of the claim gives; undefined: none. `spec 12.41` */
export function claimedRole(
  claims: Readonly<Record<string, unknown>>,
  name: string,
  roles: RolesByClaim,
): AdminRole | undefined {
  const values = [readClaim(claims, name)].flat();
  return adminRoles.find((role) => roles.some((one) => one.role === role && values.includes(one.value)));
}
