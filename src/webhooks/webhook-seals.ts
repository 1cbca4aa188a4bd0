/** The contexts that a webhook's secrets are sealed in: a sealed value opens for its own webhook and purpose only. */
export const sealOf = {
  secret: (webhookId: string) => `webhook-secret:${webhookId}`,
  authHeader: (webhookId: string) => `webhook-auth-header:${webhookId}`,
};
