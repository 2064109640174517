import type { CompiledServer } from '@prismapi/core/server/compile'
import { singularFor, wordsOf } from '@prismapi/jsonapi/schema/naming'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import { pseudoCatalogue, pseudoTag } from './pseudo.ts'

// What pages of the example say in a language without the letters of English.

/** Names that pages show as they are. */
const shownNames = [
  ...['id', 'size', 'api', 'true', 'false', 'update', 'A', 'publishing', 'site', 'OpenAPI', 'v1', 'v2'],
  ...['ADMIN', 'EDITOR', 'MEMBER', 'UTC', 'CSV', 'NDJSON'],
  // Of keys, and what is written on them.
  ...['Enter', 'x', 'e', 'n'],
]

/** The language for servers, with words for all that they have; and the names that it leaves as they are. */
export function pseudoFor(servers: readonly Pick<CompiledServer, 'schemas'>[]) {
  const names = new Set(shownNames)
  const own = [
    ...['id', 'trashed', 'A post with comments cannot be deleted.', 'Sign in first.'],
    ...['Only an administrator may hand a post to another author.', 'The post is published already.'],
  ]
  for (const { schemas } of servers)
    for (const { type, model, attributes, relations, actions } of schemas.byType.values()) {
      const fields = [...attributes.keys(), ...relations.keys(), ...actions.keys()]
      for (const name of [type, ...fields]) names.add(name)
      const relationDocs = Object.values(model.relations).map(({ documentation }) => documentation)
      const columnDocs = [...attributes.values()].map(({ column }) => column?.documentation)
      const said = [model.documentation, ...relationDocs, ...columnDocs].filter((text) => typeof text === 'string')
      own.push(...[type, ...fields].map(wordsOf), singularFor(type, model.name), ...said)
    }
  return { languages: { [pseudoTag]: pseudoCatalogue(own) }, wordsLeft: wordsBeside(names) }
}

/** Of texts, those with words of English that are no names. */
const wordsBeside =
  (names: ReadonlySet<string>) =>
  (texts: readonly string[]): readonly string[] =>
    texts.filter((each) => (each.match(/[A-Za-z]\w*/g) ?? []).some((word) => !names.has(word)))

/** Data of which no letter is one of English. */
export async function withoutLetters(db: PrismaClient): Promise<void> {
  for (const { id } of await db.user.findMany())
    await db.user.update({ where: { id }, data: { name: `№ ${id}`, email: `№ ${id}` } })
  for (const { id } of await db.post.findMany())
    await db.post.update({ where: { id }, data: { title: `№ ${id}`, slug: `${id}`, content: '…', synopsis: '…' } })
  for (const { id } of await db.tag.findMany()) await db.tag.update({ where: { id }, data: { name: `№ ${id}` } })
  await db.video.updateMany({ data: { title: '№', url: '…' } })
  await db.comment.updateMany({ data: { content: '…' } })
  await db.profile.updateMany({ data: { bio: '…', website: null } })
  // Of what it was before, the log tells nothing; of a change after it, it does.
  await db.change.deleteMany()
  await db.post.update({ where: { id: 1 }, data: { title: '№' } })
}
