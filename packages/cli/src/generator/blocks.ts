import type { ModelOperation } from '@prismapi/jsonapi/model/meta'

/** A model or view as it is written, with the lines that Prisma tells no generator of. */
export interface Block {
  readonly kind: string
  readonly name: string
  readonly isIgnored: boolean
  readonly fields: readonly BlockField[]
}

export interface BlockField {
  readonly name: string
  readonly type: string
  /** Behind the type: `?`, `[]` or nothing. */
  readonly mark: string
  readonly attributes: string
  readonly isIgnored: boolean
}

/** The models and views of a schema's text. */
export function blocksOf(text: string): readonly Block[] {
  const bare = text.replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/.*$|\/\*[\s\S]*?\*\//gm, '$1')
  return [...bare.matchAll(/^\s*(model|view)\s+(\w+)\s*\{([\s\S]*?)^\s*\}/gm)].map(
    ([, kind = '', name = '', body = '']) => ({
      kind,
      name,
      isIgnored: /^\s*@@ignore\b/m.test(body),
      fields: body.split('\n').flatMap(fieldOf),
    }),
  )
}

function fieldOf(line: string): BlockField[] {
  const field = /^\s*(\w+)\s+(Unsupported\("(?:[^"\\]|\\.)*"\)|\w+)([?[\]]*)(.*)$/.exec(line)
  if (!field) return []
  const [, name = '', type = '', mark = '', attributes = ''] = field
  return [{ name, type, mark, attributes, isIgnored: /(?:^|\s)@ignore\b/.test(attributes) }]
}

/**
 * A required column that Prisma Client cannot fill: ignored, or of an unknown type. Ends of relations have `@relation`.
 */
export const isUnfillable = ({ type, mark, attributes, isIgnored }: BlockField): boolean =>
  mark === '' && !/@(?:default|updatedAt|relation)\b/.test(attributes) && (type.startsWith('Unsupported(') || isIgnored)

/**
 * What Prisma Client can do with each model of a schema: views are only read, and a model with a required column that
 * it cannot fill is not created. Prisma's own description says the same, and is a hundred times as large as the schema.
 */
export function modelOperations(schema: string): ReadonlyMap<string, readonly ModelOperation[]> {
  return new Map(
    blocksOf(schema).map(({ kind, name, fields }) => {
      if (kind === 'view') return [name, ['read']]
      return [name, fields.some(isUnfillable) ? ['read', 'update', 'delete'] : ['read', 'create', 'update', 'delete']]
    }),
  )
}
