export const organizationStatuses = ['active', 'suspended', 'deleted'] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];
