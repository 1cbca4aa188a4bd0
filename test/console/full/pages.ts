/** The pages of the console: each is looked at in both themes and at three widths. `id` is the id of a job. */
export const pagesOf = (id: string) => ({
  admin: ['/jobs', `/jobs/${id}`, '/me'],
  team: ['/team', '/jobs', `/jobs/${id}`, '/me'],
  nobody: ['/login'],
});
