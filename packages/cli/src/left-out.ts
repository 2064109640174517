import { type BlockField, blocksOf, isUnfillable } from './generator/blocks.ts'

/**
 * The parts of a Prisma schema that Prisma Client does not know: ignored fields and models, and columns of unsupported
 * types. One line for each; Prisma does not tell generators of them.
 */
export function leftOut(text: string): readonly string[] {
  return blocksOf(text).flatMap(({ kind, name, isIgnored, fields }) => {
    if (isIgnored) return [`${name} is left out: it has @@ignore.`]
    return fields.flatMap((field) => {
      const why = whyLeftOut(field)
      if (why === null) return []
      const blocks = kind === 'model' && isUnfillable(field)
      return [
        `${name}.${field.name} is left out: ${why}`,
        ...(blocks ? [`${name} cannot be created: ${field.name} is required, and Prisma Client cannot fill it.`] : []),
      ]
    })
  })
}

function whyLeftOut({ type, attributes, isIgnored }: BlockField): string | null {
  if (type.startsWith('Unsupported(')) return `Prisma Client does not know the type ${type.slice(12, -1)}.`
  return isIgnored ? `it has @ignore.${keptKey(attributes)}` : null
}

/** Of a relation that is left out, what stays of it: columns that clients write like any other. */
function keptKey(attributes: string): string {
  const [, columns] = /@relation\([^)]*\bfields:\s*\[([^\]]*)\]/.exec(attributes) ?? []
  if (columns === undefined) return ''
  const written = columns.includes(',') ? 'are attributes that clients write' : 'is an attribute that clients write'
  return ` ${columns.trim()} ${written}: put /// @readOnly or /// @hidden above it where they may not.`
}
