import type { Identifier } from '@prismapi/jsonapi/document/types'
import { didMark, type PageRequest } from '../data/page-request.ts'
import { labelOfOne } from '../data/picker.ts'
import { type Showing, typeAndId } from '../data/showing.ts'
import { type Content, html } from '../html/html.ts'
import { did as words } from '../texts/reading.ts'
import { titleOf } from '../texts/words.ts'
import { forms } from '../texts/writing.ts'
import type { ChipContext } from './chips.ts'
import { linkingAgain } from './chips.ts'
import { restoreForm, trashedRow } from './revert.ts'

/** What takes back a change of the resource that the page shows; null where nothing can. */
type Undo = () => Promise<Content>

interface Undoing {
  /** By the trail, the last change. */
  readonly last: Undo | null
  /** The record, where the page shows one. */
  readonly context: ChipContext | null
}

/** The message about a write that brought its reader here, and the way back, where the trail or the bin has one. */
export async function didNote(browsed: PageRequest, showing: Showing, { last, context }: Undoing): Promise<Content> {
  const [what = '', name = '', ...rest] = (browsed.own.get(didMark) ?? '').split(' ')
  if (browsed.status >= 400) return null
  switch (what) {
    case 'save':
    case 'restore':
      return note(words[what], await last?.())
    case 'full':
      return html`<p class="note" role="status">${words.full}</p>`
    case 'create':
    case 'attach':
      return note(words[what], null)
    case 'action':
      return note(words.action(titleOf(name)), await last?.())
    case 'detach': {
      const relation = context?.schema.relations.get(name)
      return note(
        words.detach,
        context && relation && rest.length > 0 && linkingAgain(context, relation, rest.join(' ')),
      )
    }
    case 'delete':
      return deletedNote(browsed, showing, [name, ...rest].join(' '))
    default:
      return null
  }
}

const note = (said: Content, undo: Content): Content =>
  html`<div class="done" role="status"><p>${said}</p>${undo}</div>`

/** What is in the bin can be taken out again. */
async function deletedNote(
  { caller, operation, seal, path }: PageRequest,
  showing: Showing,
  id: string,
): Promise<Content> {
  const schema = operation && caller?.ctx.server.schemas.byType.get(operation.schema.type)
  const row = caller && schema ? await trashedRow(caller, schema, id) : null
  if (!caller || !schema || !row) return note(words.removed, null)
  const one: Identifier = { type: schema.type, id }
  const shown = caller.api.schemas.byType.get(schema.type)
  const name = (shown && (await labelOfOne(caller, shown, id))) ?? typeAndId(showing, one)
  const undo = await restoreForm(caller, { schema, row, id }, { seal, back: path, button: forms.undo })
  return note([words.delete, ' ', name], undo)
}
