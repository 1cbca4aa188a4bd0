import type { z } from 'zod';
import type { AdminUserAnswer, AuditEntryAnswer, SetupStatus as SetupStatusSchema } from '../../../src/contracts/admin-users.ts';
import type { CreditTransaction as CreditTransactionSchema } from '../../../src/contracts/credits.ts';
import type { Changes as ChangesSchema } from '../../../src/contracts/events.ts';
import type { Job as JobSchema, JobStatus as JobStatusSchema } from '../../../src/contracts/jobs.ts';
import type { OwnSessionList as OwnSessionListSchema, Session as SessionSchema } from '../../../src/contracts/sessions.ts';

/** What the API answers, from its own schemas. Only types: zod is not part of the console. */
export type Session = z.output<typeof SessionSchema>;
export type Permission = Session['permissions'][number];
export type OwnSessions = z.output<typeof OwnSessionListSchema>;
export type SetupStatus = z.output<typeof SetupStatusSchema>;
export type AdminUser = AdminUserAnswer;
export type AuditEntry = AuditEntryAnswer;
export type Changes = z.output<typeof ChangesSchema>;
export type JobStatus = z.output<typeof JobStatusSchema>;
export type Job = z.output<typeof JobSchema>;
export type CreditTransaction = z.output<typeof CreditTransactionSchema>;
