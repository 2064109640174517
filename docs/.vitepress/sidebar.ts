import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { entries } from './api/entries.ts'

interface Page {
  readonly text: string
  readonly link: string
}

export interface Group {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: (Page | Group)[]
}

const docs = path.resolve(import.meta.dirname, '..')

/** The five doors of the documentation, and behind them the room of the people who change prismapi. */
export const sidebar: Group[] = [
  {
    text: 'Start',
    collapsed: false,
    items: [
      ...linksTo(['start', 'tutorial', 'comparison', 'asked-elsewhere']),
      group('Coming from', ['coming-from/laravel', 'coming-from/zenstack', 'coming-from/hand-written']),
    ],
  },
  {
    text: 'Learn',
    collapsed: false,
    items: [
      group('The schema', ['inference', 'schemas']),
      group('Permissions', ['authentication', 'authorization', 'scopes', 'policies', 'why']),
      group('Reading', ['queries', 'pagination', 'statistics', 'search', 'exports', 'live']),
      group('Writing', ['validation', 'hooks', 'actions', 'operations', 'concurrency', 'idempotency']),
      group('Screens and clients', ['browsing', 'clients', 'agents', 'languages']),
      group('The application', ['servers', 'mounting', 'outside-http', 'features']),
      group('Testing', ['testing', 'testing-kit']),
    ],
  },
  {
    text: 'Recipes',
    collapsed: true,
    items: linksTo(
      [
        ...['multi-tenancy', 'memberships', 'tenant-in-path', 'own-auth', 'field-permissions', 'public-site'],
        ...['soft-delete', 'search', 'dashboard', 'file-upload', 'money', 'double-booking'],
        ...['nightly-job', 'queue-worker', 'email-after-commit', 'webhooks', 'webhook-in'],
        ...['seeding', 'versions', 'deploying'],
      ]
        .map((recipe) => `cookbook/${recipe}`)
        .concat('many-organizations'),
    ),
  },
  {
    text: 'Reference',
    collapsed: true,
    items: [
      group('Errors', ['errors', 'troubleshooting']),
      group('Commands', ['generators', 'doctor', 'explain', 'diff']),
      group('Rules of the API', ['specification', 'limits', 'requests', ...pagesOf('profiles')]),
      group('Versions', ['deprecation', 'upgrading']),
      { text: 'Exports', items: entries.map(({ name, page }) => ({ text: name, link: `/api/${page}` })) },
    ],
  },
  {
    text: 'Deploy',
    collapsed: true,
    items: linksTo([
      ...['deployment', 'databases', 'security', 'row-level-security', 'observability'],
      ...['scaling', 'performance', 'reliability'],
    ]),
  },
  {
    text: 'For contributors',
    collapsed: true,
    items: [
      ...linksTo(['getting-started', 'testing-the-project', 'performance-tried']),
      group('Decisions', pagesOf('adr')),
    ],
  },
]

function group(text: string, pages: readonly string[]): Group {
  return { text, collapsed: true, items: linksTo(pages) }
}

function linksTo(pages: readonly string[]): Page[] {
  return pages.map((page) => ({ text: titleOf(page), link: `/${page}` }))
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
