import type { CompiledServer } from '@prismapi/core/server/compile'
import type { Identifier } from '@prismapi/jsonapi/document/types'
import { answerTo } from '../data/answer-to.ts'
import { hasLabel } from '../data/page-data.ts'
import { createdMark, doneMark, type PageRequest } from '../data/page-request.ts'
import type { Showing } from '../data/showing.ts'
import { type Content, html } from '../html/html.ts'
import { titleOf } from '../texts/words.ts'
import { many as manyWords, creation as words } from '../texts/writing.ts'
import { named } from './relationships.ts'

/** Says so, if the reader sees it. */
export async function createdNote(browsed: PageRequest, showing: Showing): Promise<Content> {
  const { caller } = browsed
  const made = createdResource(browsed)
  const shown = made && caller?.api.schemas.byType.get(made.type)
  const schema = made && caller?.ctx.server.schemas.byType.get(made.type)
  if (!caller || !shown || !schema) return null
  const fields = hasLabel(shown) ? shown.label : ''
  const query = new URLSearchParams({ include: '', [`fields[${shown.type}]`]: fields })
  const document = await answerTo(caller.ctx, { kind: 'view', schema, id: made.id }, query)
  const data = document?.data
  if (!data || Array.isArray(data)) return null
  const attributes = ('attributes' in data && data.attributes) || null
  const beside = { attributesOf: () => attributes, relationshipOf: () => null }
  return html`<p class="done" role="status">${words.made} ${named({ ...showing, beside }, made)}</p>`
}

const doneList = ({ name }: CompiledServer, seal: string): string => `${name} pages done ${seal}`

/**
 * What was done to how many rows, sealed for the URL of the page that reports it to its reader: nobody else can make
 * one. `seal` identifies the session; guests have none and get no message. Another process reads it with the same
 * `cursorSecret`.
 */
export const doneToken = (server: CompiledServer, seal: string, what: string, count: number): string =>
  server.cursorSeal.seal(doneList(server, seal), [what, count])

/** What was done to many rows just now, where this server says so. */
export function doneNote({ own, server, seal }: PageRequest): Content {
  if (seal === null) return null
  const done = server.cursorSeal.open(doneList(server, seal), own.get(doneMark) ?? '')
  if (!Array.isArray(done)) return null
  const [what, count] = done
  const [kind, name = ''] = String(what).split(' ')
  const { done: told } = manyWords
  const said = kind === 'action' ? [told.action(titleOf(name)), ':'] : kind === 'delete' ? told.delete : told.change
  return html`<p class="done" role="status">${said} ${count}</p>`
}

/** What was created just now, and its reader came back from. */
export function createdResource({ own }: Pick<PageRequest, 'own'>): Identifier | null {
  const [type = '', ...rest] = (own.get(createdMark) ?? '').split('/')
  return rest.length === 0 ? null : { type, id: rest.join('/') }
}
