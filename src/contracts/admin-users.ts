import { z } from 'zod';
import { adminRoles, signInWays } from '../domain/admin-roles.ts';
import { csvFormat } from './csv.ts';
import { arrayPage, beginsOnce, beginsTwice } from './cursor.ts';
import { dateRange, isOrdered, notOrdered } from './date-range.ts';
import {
  guid,
  JsonObject,
  namedEnum,
  Offset,
  optional,
  SearchText,
  StoredObject,
  text,
  timestamp,
  Uuid,
} from './fields.ts';
import { responseFields } from './shared-fields.ts';

/** Bodies and answers of `spec 12`. */

export const AdminUserParams = z.object({ user_id: Uuid.describe('Id of the admin user') });

export const AdminRole = namedEnum('AdminRole', adminRoles);
const Role = AdminRole.describe(
  '`owner` manages every user, `admin` only those of role `user`; both manage the platform. `user` has only its own account',
);

/** RFC 5321: the whole address, and the part before the `@`. */
const maxEmailCharacters = 254;
const maxMailboxCharacters = 64;

/** RFC 5321, 4.1.2, without quotes and address literals; the domain has a dot, like every one on the internet. */
const emailAddress =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Case is significant: e-mails that differ in case are two users. A longer one is not matched, which would take long. */
const Email = z
  .string()
  .refine((email) => email.length <= maxEmailCharacters && email.indexOf('@') <= maxMailboxCharacters, {
    abort: true,
    message: `value is not a valid email address: at most ${maxMailboxCharacters} characters, @, and ${maxEmailCharacters} in all`,
  })
  .check(z.email({ pattern: emailAddress }))
  .meta({
    description: 'E-mail address that the user logs in with: unique, compared with its case, at most 254 characters',
    example: 'grace@example.com',
  });

const minPasswordCharacters = 8;
const maxPasswordBytes = 1_024;
/** The decomposed form of a text has at most three times its bytes. */
const maxSentBytes = 3 * maxPasswordBytes;

const atMost = (bytes: number) => (password: string) => Buffer.byteLength(password) <= bytes;
const tooLong = {
  abort: true,
  params: { type: 'string_too_long' },
  message: `String should have at most ${maxPasswordBytes} bytes`,
};

/**
 * Any password that a user may have: only a new one has to be long enough. In its composed form (NFC), because keyboards and
 * systems differ in how they send a letter like é. The time of composing grows with the square of the length.
 */
const Password = z
  .string()
  .refine(atMost(maxSentBytes), tooLong)
  .normalize('NFC')
  .refine(atMost(maxPasswordBytes), tooLong);

/** Code points, not UTF-16 units: four emoji are four. */
const NewPassword = Password.refine((password) => [...password].length >= minPasswordCharacters, {
  params: { type: 'string_too_short' },
  message: `String should have at least ${minPasswordCharacters} characters`,
}).meta({
  minLength: minPasswordCharacters,
  description: 'At least 8 characters and at most 1,024 bytes. A common password may be refused',
  example: 'quiet harbor lantern nineteen',
});

const DisplayName = z
  .string()
  .min(1)
  .max(255)
  .meta({ description: 'Name of the user for people, 1 to 255 characters', example: 'Grace Hopper' });
const GivenMetadata = optional(StoredObject);

export const SetUpOwner = z
  .object({ email: Email, display_name: DisplayName, password: NewPassword })
  .meta({ id: 'SetUpOwner' });

/** What an operator may give an owner. */
export const NewCredentials = z.object({ email: Email, password: NewPassword });

/** However it is typed: with blanks or dashes, in any case. */
const maxCodeCharacters = 64;

export const LogIn = z
  .object({
    email: Email.meta({ description: 'E-mail address of the user, with its case', example: 'grace@example.com' }),
    password: Password.meta({
      description: 'Password of the user, at most 1,024 bytes',
      example: 'quiet harbor lantern nineteen',
    }),
    code: optional(z.string().max(maxCodeCharacters))
      .describe(
        'Code of the second factor, or a recovery code. Needed where the user has a second factor, else ignored',
      )
      .meta({ example: '123456' }),
  })
  .meta({ id: 'LogIn' });

const Code = z.string().min(1).max(maxCodeCharacters).meta({ example: '123456' });

const CurrentPassword = Password.meta({
  description: 'Current password of the caller, at most 1,024 bytes',
  example: 'quiet harbor lantern nineteen',
});

export const StartSecondFactor = z.object({ current_password: CurrentPassword }).meta({ id: 'StartSecondFactor' });

export const ConfirmSecondFactor = z
  .object({ code: Code.describe('Code of six digits that the authenticator shows now') })
  .meta({ id: 'ConfirmSecondFactor' });

export const DisableSecondFactor = z
  .object({
    current_password: CurrentPassword,
    code: Code.describe('Code of six digits that the authenticator shows now, or a recovery code'),
  })
  .meta({ id: 'DisableSecondFactor' });

export const StartedSecondFactor = z
  .object({
    secret: text(
      'What an authenticator makes codes of: a secret, to be typed into it',
      'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    ),
    uri: text(
      'The same as the address in a QR code',
      'otpauth://totp/Gateway%3Agrace%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Gateway',
    ),
  })
  .meta({ id: 'StartedSecondFactor' });
export type StartedSecondFactor = z.output<typeof StartedSecondFactor>;

export const RecoveryCodes = z
  .object({
    recovery_codes: z
      .array(z.string())
      .meta({ example: ['K2XR-7QPA-MZ4D-6TLC'] })
      .describe('Ten codes, each of which stands in for the second factor once: secrets, which are not shown again'),
  })
  .meta({ id: 'RecoveryCodes' });
export type RecoveryCodes = z.output<typeof RecoveryCodes>;

export const CreateAdminUser = z
  .object({
    email: Email,
    display_name: DisplayName,
    password: NewPassword,
    role: Role,
    metadata: GivenMetadata.describe('Any JSON object, stored with the user. Default `{}`'),
  })
  .meta({ id: 'CreateAdminUser' });

export const UpdateAdminUser = z
  .object({
    display_name: optional(DisplayName),
    role: optional(Role),
    is_active: optional(z.boolean()).describe('False refuses the user at login and ends all sessions'),
    metadata: GivenMetadata.describe('Any JSON object; replaces the metadata of the user'),
  })
  .meta({ id: 'UpdateAdminUser' });

export const ChangePassword = z
  .object({
    current_password: optional(Password).describe(
      'Needed to change the own password, ignored for that of another user. At most 1,024 bytes',
    ),
    new_password: NewPassword,
  })
  .meta({ id: 'ChangePassword' });

export const AdminUserResponse = z
  .object({
    user_id: guid('Id of the admin user, generated by the service', 'b2f90a6c-4e17-4d58-8a3b-6d0c95e7f214'),
    email: text('E-mail address that the user logs in with', 'grace@example.com'),
    display_name: text('Name of the user for people', 'Grace Hopper'),
    role: Role,
    is_active: z.boolean().describe('Whether the user can log in'),
    created_at: responseFields.created_at,
    last_login: timestamp('When the user last logged in; null before the first time').nullable(),
    signs_in_by: namedEnum('SignInWay', signInWays).describe(
      '`password`, or `oidc`: by OpenID Connect, whose issuer gives the role anew at each sign-in',
    ),
    second_factor: z.boolean().describe('Whether a login needs a code of a second factor'),
    metadata: JsonObject.describe('What an owner or admin stored with the user; `{}` when nothing was stored'),
  })
  .meta({ id: 'AdminUser' });
export type AdminUserResponse = z.output<typeof AdminUserResponse>;

export const SessionResponse = z
  .object({
    access_token: text(
      'A JWT, valid for 24 hours or until logout: a secret, sent as a bearer token',
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJyb2xlIjoib3duZXIifQ.c2lnbmF0dXJl',
    ),
    token_type: z.literal('bearer').describe('Always `bearer`'),
    user: AdminUserResponse.describe('The user who has logged in'),
  })
  .meta({ id: 'AdminSession' });
export type SessionResponse = z.output<typeof SessionResponse>;

export const SetupStatus = z
  .object({
    needs_setup: z.boolean().meta({
      description: 'Whether there is no admin user yet, so that the first owner can be created',
      example: false,
    }),
    has_users: z.boolean().describe('The opposite of `needs_setup`'),
    oidc_label: text(
      'What signs in by OpenID Connect are called. Absent where it is not configured',
      'Example account',
    ).optional(),
    setup: namedEnum('SetupProtection', ['master-key', 'off'])
      .optional()
      .describe('What keeps visitors from creating the first owner: the setting `SETUP`. Absent where nothing does'),
  })
  .meta({ id: 'SetupStatus' });

export const AuditQuery = z
  .object({
    limit: z.int().min(1).max(100).default(50).describe('How many entries to return at most'),
    offset: Offset,
    user_id: Uuid.optional().describe('Only actions of this admin user'),
    action: z.string().max(255).optional().describe('Only entries of this action, such as `created_team`'),
    resource_type: z.string().max(255).optional().describe('Only entries about this kind, such as `team`'),
    resource_id: z.string().max(255).optional().describe('Only entries about what has this id or name'),
    q: SearchText.optional().describe('Only entries whose action, kind, id or address contains this text, in any case'),
    ...dateRange('entries of what was done'),
    ...arrayPage,
    ...csvFormat,
  })
  .refine(isOrdered, notOrdered)
  .refine(beginsOnce, beginsTwice);

export const AdminUserListQuery = z.object({
  q: SearchText.optional().describe('Only users whose e-mail or display name contains this text, in any case'),
  role: AdminRole.optional().describe('Only users of this role; without it, of any'),
  limit: z.int().min(1).max(1_000).optional().describe('How many users to return at most. Default: all'),
  ...arrayPage,
  ...csvFormat,
});

export const AuditEntryResponse = z
  .object({
    audit_id: guid('Id of the entry, generated by the service', '58c4e2d1-b63a-4f07-9d85-a1f27e0b6c93'),
    user_id: z.guid().optional().meta({
      description:
        'Admin user who acted. Absent for actions by the platform key, by a team (named in `details`) and without a credential',
      example: 'b2f90a6c-4e17-4d58-8a3b-6d0c95e7f214',
    }),
    action: text('What was done, such as `created_team` or `login`', 'created_team'),
    resource_type: text('Kind of what it was done to, such as `team` or `admin_user`', 'team'),
    resource_id: text('Id or name of what it was done to; null where there is none', 'acme-research').nullable(),
    details: JsonObject.describe('Further information about the action; the fields depend on it'),
    ip_address: z.string().nullable().describe('IP address that the request came from; null if unknown'),
    created_at: timestamp('When it was done'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntryResponse = z.output<typeof AuditEntryResponse>;
