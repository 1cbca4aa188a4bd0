export const organizationStatuses = ['active', 'suspended', 'deleted'] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];

export const teamStatuses = ['active', 'suspended'] as const;
export type TeamStatus = (typeof teamStatuses)[number];

/** Whether a team without credits may create jobs, and whether each job reserves its credits. `spec 6.7` and `spec 24.1` */
export const lowBalancePolicies = ['allow', 'block', 'reserve'] as const;

/** What becomes of a call that names no job and no task: it gets a job of its own, or is refused. `spec 18.4` */
export const joblessCallPolicies = ['single', 'refuse'] as const;

/** Whether a call of a known agent that names no job belongs to the turn of its agent. `spec 27.2` */
export const agentTurnPolicies = ['on', 'off'] as const;

/** The most calls that a team may have under way in one api: a quarter of the slots of a worker. */
export const maxConcurrentCalls = 500;
