import { attachPermissions } from '@prismapi/core/auth/can'
import type { Resource } from '@prismapi/core/read/resource'
import type { ServerContext } from '@prismapi/core/server/serving'
import type { Can } from '@prismapi/jsonapi/document/types'
import { policyAction } from '@prismapi/jsonapi/request/operation'
import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { deleteMark } from '../data/page-request.ts'
import { type Content, html } from '../html/html.ts'
import { may as words } from '../texts/reading.ts'
import { fieldWords, joined, titleOf, type Words } from '../texts/words.ts'

/** What the caller may do with a resource, by the rules that `meta.can` tells by. */
export async function permissionsHtml(ctx: ServerContext, resource: Resource, path: string): Promise<Content> {
  const withCan: Resource = { ...resource, schema: { ...resource.schema, showsCan: true } }
  await attachPermissions(ctx, [withCan], new Map())
  return withCan.can && shown(withCan.can, resource.schema, path)
}

const shown = (can: Can, schema: ResourceSchema, path: string): Content =>
  html`<details class="may"><summary>${words.title}</summary><ul class="plain">${Object.entries(can).map(
    ([name, answer]) =>
      html`<li>${mark(answer)} ${actionTold(schema, name)}${fieldsTold(answer)}${name === 'delete' && answer === false && html` <a href="${path}?${deleteMark}=true">${words.why}</a>`}</li>`,
  )}</ul></details>`

const ofRelations = ['viewRelated', 'updateRelationship', 'attach', 'detach'] as const

/** `attachTags` → `Attach tags` */
function actionTold(schema: ResourceSchema, action: string): Words {
  for (const relation of schema.relations.values())
    for (const kind of ofRelations)
      if (policyAction({ kind, schema, relation, id: '' }) === action)
        return words.relations[kind](fieldWords(relation.name))
  return words.kinds[action] ?? titleOf(action)
}

const mark = (answer: Can[string]): Content => {
  if (answer === null) return html`<span class="mark">${words.unknown}</span>`
  return answer === false
    ? html`<span class="mark no">${words.no}</span>`
    : html`<span class="mark yes">${words.yes}</span>`
}

const fieldsTold = (answer: Can[string]): Content =>
  typeof answer === 'object' &&
  answer !== null &&
  html` <small>${words.only(joined(answer.map(titleOf), ', '))}</small>`
