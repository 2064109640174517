import { policyFile } from '@prismapi/core/auth/policy'
import { lackingPart } from '@prismapi/core/database/lacking'
import type { ServerContext } from '@prismapi/core/server/serving'
import type { Caller } from '../data/page-request.ts'
import { createAnchor, createLink } from '../forms/create-link.ts'
import { type Content, html } from '../html/html.ts'
import { firstRun as words } from '../texts/reading.ts'
import type { Words } from '../texts/words.ts'
import { listedTypes, none } from './counts.ts'

/** What is still to be done before a start page has something to show; null where there is nothing. */
export async function firstRun(caller: Caller, counts: ReadonlyMap<string, Words>): Promise<Content> {
  const { ctx, api } = caller
  const listed = listedTypes(api)
  if (listed.length === 0) return ctx.server.production ? null : unreadable(ctx)
  if (counts.size === 0 || [...counts.values()].some((count) => count !== none)) return null
  const links: Content[] = []
  for (const schema of listed) {
    const link = links.length < mostLinks ? await createLink(caller, schema, { given: '', back: null }) : null
    if (link) links.push([createAnchor(link), ' '])
  }
  return checklist(words.noRows, [
    links.length > 0 && [words.make, ' ', links],
    !ctx.server.production && [words.seed, ' ', code('npx prisma db seed')],
  ])
}

const mostLinks = 3

/** What to do where the database lacks tables or columns of the Prisma schema; null for every other error. */
export const withoutTables = (error: unknown): Content =>
  lackingPart(error) &&
  checklist(words.noTables, [
    [words.migrate, ' ', code('npx prisma migrate deploy')],
    [words.migrateNew, ' ', code('npx prisma migrate dev')],
  ])

/** Outside of production: which file says who may read. */
function unreadable({ server, user }: ServerContext): Content {
  const { byModel } = server.schemas
  const models = [...byModel.keys()]
  const without = models.filter((model) => !server.policies.has(model))
  const [model = ''] = without.length > 0 ? without : models
  const file = policyFile(model, server.policies.get(model))
  return checklist(words.unreadable(models.length), [
    user === null && words.guest,
    without.length > 0 && [words.policy(without.length), ' ', code(`npx prismapi policy ${model}`)],
    [words.allow, ' ', code(file), ' ', code('can(this.reads)')],
    [words.why, ' ', code(`npx prismapi explain "GET ${server.basePath}/${byModel.get(model)?.type}"`)],
  ])
}

const code = (text: string): Content => html`<code>${text}</code>`

const checklist = (title: Words, steps: readonly Content[]): Content =>
  html`<section class="panel first-run"><h2>${title}</h2><ol>${steps.map((step) => step && html`<li>${step}</li>`)}</ol></section>`
