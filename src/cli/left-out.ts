/**
 * What a Prisma schema says and Prisma Client does not know of: fields and models that are ignored, and columns of types
 * that are unsupported. One line each; nothing else hears of them, because generators are not told.
 */
export function leftOut(text: string): readonly string[] {
  const lines: string[] = []
  for (const { kind, name, body } of blocksOf(text)) {
    if (/^\s*@@ignore\b/m.test(body)) {
      lines.push(`${name} is left out: it has @@ignore.`)
      continue
    }
    for (const line of body.split('\n')) {
      const field = /^\s*(\w+)\s+(Unsupported\("(?:[^"\\]|\\.)*"\)|\w+)([?[\]]*)(.*)$/.exec(line)
      if (!field) continue
      const [, column, type = '', mark, rest = ''] = field
      if (type.startsWith('Unsupported(')) {
        lines.push(`${name}.${column} is left out: Prisma Client does not know the type ${type.slice(12, -1)}.`)
        if (kind === 'model' && mark === '' && !/@default\(/.test(rest))
          lines.push(`${name} cannot be created: ${column} is required, and Prisma Client cannot fill it.`)
      } else if (/(?:^|\s)@ignore\b/.test(rest)) lines.push(`${name}.${column} is left out: it has @ignore.`)
    }
  }
  return lines
}

interface Block {
  readonly kind: string
  readonly name: string
  readonly body: string
}

/** The models and views of a schema, without comments. */
function blocksOf(text: string): readonly Block[] {
  const bare = text.replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/.*$/gm, '$1')
  return [...bare.matchAll(/^\s*(model|view)\s+(\w+)\s*\{([\s\S]*?)^\s*\}/gm)].map(
    ([, kind = '', name = '', body = '']) => ({
      kind,
      name,
      body,
    }),
  )
}
