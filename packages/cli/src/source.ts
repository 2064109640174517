import { dashed, upperFirst } from '@prismapi/jsonapi/schema/naming'

// Generated files are as Biome writes them with this repository's settings, so that a formatter changes nothing.

const lineWidth = 120
export const fits = (line: string): boolean => line.length <= lineWidth

export const quoted = (text: string): string => `'${text}'`
export const listed = (names: readonly string[]): string => names.map(quoted).join(', ')

/** Lines of a body, deeper by one level for every two spaces. */
export const indented = (lines: readonly string[], indent: string): string =>
  lines.map((line) => (line === '' ? '\n' : `${indent}${line}\n`)).join('')

/** `import { Policy, type Rules } from 'prismapi'`; a name may begin with `type `. */
export function importLine(names: readonly string[]): string {
  const sorted = [...names].sort((a, b) => compareNames(a.replace(/^type /, ''), b.replace(/^type /, '')))
  const line = `import { ${sorted.join(', ')} } from 'prismapi'`
  return fits(line)
    ? line
    : `import {\n${indented(
        sorted.map((name) => `${name},`),
        '  ',
      )}} from 'prismapi'`
}

// `a` and `A` before `b`, and `A` before `a`.
function compareNames(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [x, y] = [a.charAt(i), b.charAt(i)]
    if (x !== y) return x.toLowerCase().localeCompare(y.toLowerCase(), 'en') || (x < y ? -1 : 1)
  }
  return a.length - b.length
}

export interface ClassHead {
  readonly name: string
  readonly base: string
  readonly model: string
  /** Fields that no Prisma model has, but its schema class. */
  readonly extra: readonly string[]
}

/** `export default class PostPolicy extends Policy<'Post'> {` */
export function classLine({ name, base, model, extra }: ClassHead): string {
  const head = `export default class ${name} extends ${base}<`
  const line = `${head}${typeArguments(model, extra)}> {`
  // One argument alone is never put on a line of its own.
  if (fits(line) || extra.length === 0) return line
  const union = extra.map(quoted).join(' | ')
  const second = fits(`  ${union}`) ? `  ${union}` : extra.map((field) => `  | ${quoted(field)}`).join('\n')
  return `${head}\n  ${quoted(model)},\n${second}\n> {`
}

export const typeArguments = (model: string, extra: readonly string[]): string =>
  extra.length === 0 ? quoted(model) : `${quoted(model)}, ${extra.map(quoted).join(' | ')}`

/** A method's first line; parameters that do not fit are written one to a line. */
export function methodLine(name: string, parameters: readonly string[], result = ''): string {
  const line = `  ${name}(${parameters.join(', ')})${result} {`
  return fits(line)
    ? line
    : `  ${name}(\n${indented(
        parameters.map((each) => `${each},`),
        '    ',
      )}  )${result} {`
}

/** `BlogPost`, whatever case the name is written in. */
export const pascal = (name: string): string =>
  /^[A-Z][A-Za-z0-9]*$/.test(name) ? name : dashed(name).split('-').map(upperFirst).join('')

/** `PostPolicy`; another name where the file imports, or JavaScript has, that one. */
export function className(model: string, role: string, imported: readonly string[]): string {
  const name = pascal(model) + role
  return imported.some((each) => each.replace(/^type /, '') === name) || name in globalThis ? `Own${name}` : name
}
