import path from 'node:path'
import { read } from './entries.ts'

/** An export where it is declared. */
export interface Declared {
  /** By its path in the repository. */
  readonly file: string
  readonly line: number
  /** What is written above it. */
  readonly docstring: string
}

/** Where an export is declared, with what is written above it; null where nothing is. */
export function declarationOf(file: string, name: string): Declared | null {
  const text = read(file)
  const declaration = new RegExp(
    `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n(?://.*\\n)*export (?:abstract |async )*(?:class|const|function|interface|type) ${name}\\b`,
  )
  const own = declaration.exec(text)
  if (own) {
    const line = text.slice(0, own.index + own[0].length).split('\n').length
    return { file, line, docstring: (own[1] ?? '').replaceAll(/^ *\* ?/gm, '').trim() }
  }
  const from = exporterOf(text, name)
  if (from !== null) return declarationOf(fileOf(from.specifier, file), from.name)
  const whole = [...text.matchAll(/^export \* from '([^']+)'/gm)].map(([, specifier = '']) => fileOf(specifier, file))
  return whole.map((each) => declarationOf(each, name)).find((found) => found !== null) ?? null
}

/** The file that an import leads to. */
function fileOf(specifier: string, importer: string): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(importer), specifier)
  const [, name, inner = 'index'] = /^@prismapi\/(\w+)(?:\/(.+))?$/.exec(specifier) ?? []
  if (name === undefined) throw new Error(`${importer}: ${specifier} is of no package here.`)
  return `packages/${name}/src/${inner}.ts`
}

/** Where an export comes from that a file only hands on. */
function exporterOf(text: string, name: string): { readonly specifier: string; readonly name: string } | null {
  for (const [, names = '', specifier = ''] of text.matchAll(
    /^(?:export|import) (?:type )?\{([^}]*)\} from '([^']+)'/gm,
  )) {
    const words = names.split(',').map((each) =>
      each
        .trim()
        .replace(/^type /, '')
        .split(' as '),
    )
    const found = words.find(([own, as]) => (as ?? own) === name)
    if (found) return { specifier, name: found[0] as string }
  }
  return null
}

/** Markdown of a docstring: what it says, its parameters and errors, where the rule is written, and its example. */
export function toMarkdown(docstring: string): string {
  const [about = '', ...tags] = docstring.split(/^@(?=\w)/m)
  const parts = tags.map((tag) => {
    const [, name = '', text = ''] = /^(\w+)\s*([\s\S]*?)\s*$/.exec(tag) ?? []
    if (name === 'example') return `**Example**\n\n${text.includes('```') ? text : `\`\`\`ts\n${text}\n\`\`\``}`
    if (name === 'see') return `See ${toLink(text)}`
    const [, first = '', rest = ''] = /^(\{[^}]*\}|\S+)\s*-?\s*([\s\S]*)$/.exec(text) ?? []
    return `- ${name === 'param' ? '' : `${name} `}\`${first.replace(/^\{(.*)\}$/, '$1')}\` ${toText(rest)}`
  })
  return [toText(about), ...parts].join('\n\n')
}

const toLink = (text: string): string => (/^https?:\S+$/.test(text) ? `<${text}>` : toText(text))

/** Angle brackets outside of code would be elements. */
const toText = (text: string): string =>
  text
    .trim()
    .replaceAll(/\{@link (\S+?)(?:\s*\|[^}]*)?\}/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('')
