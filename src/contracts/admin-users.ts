import { z } from 'zod';
import { adminRoles } from '../domain/admin-roles.ts';
import { GivenObject, JsonObject, Offset, optional, Timestamp, Uuid } from './fields.ts';

/** Bodies and answers of `spec 12`. */

export const AdminUserParams = z.object({ user_id: Uuid });

const Role = z.enum(adminRoles);

/** RFC 5321: the whole address, and the part before the `@`. */
const longestEmail = 254;
const longestMailbox = 64;

/** RFC 5321, 4.1.2, without quotes and address literals; the domain has a dot, like every one on the internet. */
const emailAddress =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The case is kept: e-mails that differ in case are two users. A longer one is not matched, which would take long. */
const Email = z
  .string()
  .refine((email) => email.length <= longestEmail && email.indexOf('@') <= longestMailbox, {
    abort: true,
    message: `value is not a valid email address: at most ${longestMailbox} characters, @, and ${longestEmail} in all`,
  })
  .check(z.email({ pattern: emailAddress }));

const shortestPassword = 8;
const longestPasswordBytes = 1_024;

/** Any password that a user may have: only a new one has to be long enough. */
const Password = z.string().refine((password) => Buffer.byteLength(password) <= longestPasswordBytes, {
  params: { type: 'string_too_long' },
  message: `String should have at most ${longestPasswordBytes} bytes`,
});

/** Characters, not UTF-16 units: four emoji are four. */
const NewPassword = Password.refine((password) => [...password].length >= shortestPassword, {
  params: { type: 'string_too_short' },
  message: `String should have at least ${shortestPassword} characters`,
}).meta({ minLength: shortestPassword });

const DisplayName = z.string().min(1).max(255);

export const SetUpOwner = z
  .object({ email: Email, display_name: DisplayName, password: NewPassword })
  .meta({ id: 'SetUpOwner' });

/** What an operator may give an owner. */
export const NewCredentials = z.object({ email: Email, password: NewPassword });

export const LogIn = z.object({ email: Email, password: Password }).meta({ id: 'LogIn' });

export const CreateAdminUser = z
  .object({
    email: Email,
    display_name: DisplayName,
    password: NewPassword,
    role: Role,
    metadata: optional(GivenObject),
  })
  .meta({ id: 'CreateAdminUser' });

export const UpdateAdminUser = z
  .object({
    display_name: optional(DisplayName),
    role: optional(Role),
    is_active: optional(z.boolean()),
    metadata: optional(GivenObject),
  })
  .meta({ id: 'UpdateAdminUser' });

export const ChangePassword = z
  .object({ current_password: optional(Password), new_password: NewPassword })
  .meta({ id: 'ChangePassword' });

export const AdminUserAnswer = z
  .object({
    user_id: z.guid(),
    email: z.string(),
    display_name: z.string(),
    role: Role,
    is_active: z.boolean(),
    created_at: Timestamp,
    last_login: Timestamp.nullable(),
    metadata: JsonObject,
  })
  .meta({ id: 'AdminUser' });
export type AdminUserAnswer = z.output<typeof AdminUserAnswer>;

export const SessionAnswer = z
  .object({ access_token: z.string(), token_type: z.literal('bearer'), user: AdminUserAnswer })
  .meta({ id: 'AdminSession' });
export type SessionAnswer = z.output<typeof SessionAnswer>;

export const SetupStatus = z.object({ needs_setup: z.boolean(), has_users: z.boolean() }).meta({ id: 'SetupStatus' });

export const AuditQuery = z.object({
  limit: z.int().min(1).max(100).default(50),
  offset: Offset,
  user_id: Uuid.optional(),
  action: z.string().max(255).optional(),
});

export const AuditEntryAnswer = z
  .object({
    audit_id: z.guid(),
    user_id: z.guid().optional().meta({
      description: 'Absent for actions by the platform key, by a team (named in `details`) and without a credential',
    }),
    action: z.string(),
    resource_type: z.string(),
    resource_id: z.string().nullable(),
    details: JsonObject,
    ip_address: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryAnswer = z.output<typeof AuditEntryAnswer>;
