/**
 * Words that readers type, and that a page does not have where the search counts most: in a heading. A test asks the search for
 * such words.
 */
const alsoCalled: Readonly<Record<string, string>> = {
  'agents.md': 'agent MCP Model Context Protocol AI LLM assistant tool Claude Cursor ChatGPT Copilot',
  'authentication.md': 'login log in sign in session JWT OAuth OpenID Connect',
  'authorization.md': '403 forbidden permissions roles access control',
  'browsing.md': 'admin admin panel admin interface back office bulk edit edit many rows CRUD',
  'clients.md': 'React TypeScript types hooks frontend JavaScript SDK',
  'cookbook/multi-tenancy.md': 'tenant tenants SaaS organization workspace',
  'cookbook/nightly-job.md': 'cron scheduler scheduled job nightly',
  'cookbook/own-auth.md': 'login log in sign in JWT session password authentication',
  'cookbook/webhooks.md': 'webhook outgoing',
  'cookbook/webhook-in.md': 'webhook incoming Stripe',
  'deployment.md': 'Docker container Kubernetes nginx',
  'errors.md': '403 401 404 409 422 error codes',
  'inference.md': 'date dates times DateTime time zone types',
  'limits.md': 'rate limit rate limiting throttling 429',
  'operations.md': 'transaction transactions bulk edit batch',
  'outside-http.md': 'transaction transactions',
  'queries.md': 'N+1 filter sort include',
  'schemas.md': 'rename a field rename field types',
  'servers.md': 'CORS headers origin',
  'why.md': '403 forbidden permission denied not allowed refused 404 not found why empty list missing button debug',
  'testing.md': 'testing tests test Vitest',
}

/** A page as the search reads it: with these words in its heading, whose place stays the same. */
export const searched = (source: string, page: string): string =>
  page in alsoCalled
    ? source.replace(/^# (.+)$/m, (_, heading: string) => `# ${heading} (${alsoCalled[page]}) {#top}`)
    : source
