import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { entries } from './api/entries.ts'

interface Group {
  readonly text: string
  readonly items: { readonly text: string; readonly link: string }[]
}

const docs = path.resolve(import.meta.dirname, '..')

/** The way through the documentation, from the first start to its last page. */
export const sidebar: Group[] = [
  group('Start', ['start', 'getting-started', 'tutorial', 'mounting', 'inference', 'schemas']),
  group('Guide', [
    ...['authorization', 'scopes', 'validation', 'pagination', 'queries', 'statistics', 'servers', 'hooks', 'actions'],
    'outside-http',
    'features',
    ...['testing', 'testing-kit'],
  ]),
  group('In production', [
    ...[
      'databases',
      'deployment',
      'scaling',
      'performance',
      'performance-tried',
      'security',
      'row-level-security',
      'reliability',
      'observability',
    ],
  ]),
  group('Coming from', ['coming-from/laravel', 'coming-from/zenstack', 'coming-from/hand-written']),
  group(
    'Cookbook',
    [
      ...['multi-tenancy', 'soft-delete', 'field-permissions', 'file-upload', 'search'],
      ...['dashboard', 'own-auth', 'tenant-in-path', 'public-site', 'nightly-job', 'queue-worker'],
      ...['webhook-in', 'webhooks', 'email-after-commit', 'money', 'double-booking', 'seeding'],
      ...['versions', 'deploying'],
    ].map((recipe) => `cookbook/${recipe}`),
  ),
  group('Reference', [
    ...[
      'troubleshooting',
      'limits',
      'explain',
      'doctor',
      'generators',
      'diff',
      'policies',
      'deprecation',
      'upgrading',
      'browsing',
      'clients',
    ],
    ...[
      'concurrency',
      'operations',
      'idempotency',
      'languages',
      'live',
      ...pagesOf('profiles'),
      'requests',
      'specification',
    ],
    'testing-the-project',
  ]),
  group('Decisions', pagesOf('adr')),
  { text: 'API', items: entries.map(({ name, page }) => ({ text: name, link: `/api/${page}` })) },
]

function group(text: string, pages: readonly string[]): Group {
  return { text, items: pages.map((page) => ({ text: titleOf(page), link: `/${page}` })) }
}

/** A page is called in the sidebar what its heading says. */
function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(path.join(docs, `${page}.md`), 'utf8')) ?? []
  if (title === undefined) throw new Error(`docs/${page}.md: no heading. Begin it with "# …".`)
  return title.replaceAll('`', '')
}

/** All pages of a folder, in the order of their names. */
function pagesOf(folder: string): readonly string[] {
  return readdirSync(path.join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name.slice(0, -'.md'.length)}`)
}
