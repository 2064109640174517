import type { Row, Where } from '@prismapi/jsonapi/model/where'
import { AttributeOverride } from '@prismapi/jsonapi/schema/fields'
import { type AnySchema, Schema } from '@prismapi/jsonapi/schema/schema'

/** The fields of a row as its change has them, by the names of documents: what the caller sees of them. */
export class ShownFields {
  readonly fields: Readonly<Record<string, unknown>>

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.fields = fields
  }
}

// A row that no trail store has looked through shows nothing of its fields.
const shown = (value: unknown): unknown => (value instanceof ShownFields ? value.fields : null)

/** The client that has written for somebody as an agent: requests of agents have it in their ids. */
const agentOf = (request: unknown): string | null => /^agent:([^:]*):/.exec(String(request))?.[1] ?? null

/** The log of changes as clients see it. `rowsOf` is the condition for the changes of a resource, `posts:7`. */
export function trailSchema(rowsOf: (resource: string) => Where): AnySchema {
  class TrailSchema extends Schema {
    override type = 'changes'
    override readonly defaultSort = '-id'

    override fields() {
      const column = (name: string) => new AttributeOverride<Row>(name)
      const values = (name: string) => column(name).notSortable().notFilterable().serializeUsing(shown)
      return [
        column('transaction').hidden(),
        column('model').hidden(),
        column('key').hidden(),
        column('resource').computed(['model', 'key'], ({ model, key }) => ({ type: model, id: key })),
        column('agent').computed(['request'], ({ request }) => agentOf(request)),
        values('before'),
        values('after'),
      ]
    }

    override filters() {
      return [this.filter('resource', { where: rowsOf })]
    }
  }
  return new TrailSchema() as unknown as AnySchema
}
