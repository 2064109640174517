import { attachPermissions } from '../auth/can.ts'
import type { Can } from '../document/types.ts'
import type { Resource } from '../read/resource.ts'
import type { ServerContext } from '../server/server-context.ts'
import { deleteMark } from './browsed.ts'
import { type Content, html } from './html.ts'
import { titleOf } from './showing.ts'
import { may as words } from './texts.ts'

/** What the caller may do with a resource, by the rules that `meta.can` tells by. */
export async function mayDo(ctx: ServerContext, resource: Resource, path: string): Promise<Content> {
  const asked: Resource = { ...resource, schema: { ...resource.schema, showsCan: true } }
  await attachPermissions(ctx, [asked], new Map())
  return asked.can && shown(asked.can, path)
}

const shown = (can: Can, path: string): Content =>
  html`<details class="may"><summary>${words.title}</summary><ul class="plain">${Object.entries(can).map(
    ([name, answer]) =>
      html`<li>${mark(answer)} ${titleOf(name)}${fieldsTold(answer)}${name === 'delete' && answer === false && html` <a href="${path}?${deleteMark}=true">${words.why}</a>`}</li>`,
  )}</ul></details>`

const mark = (answer: Can[string]): Content => {
  if (answer === null) return html`<span class="mark">${words.unknown}</span>`
  return answer === false
    ? html`<span class="mark no">${words.no}</span>`
    : html`<span class="mark yes">${words.yes}</span>`
}

const fieldsTold = (answer: Can[string]): Content =>
  typeof answer === 'object' && answer !== null && html` <small>${words.only(answer.map(titleOf).join(', '))}</small>`
