import { read } from '../documentation/pages.ts'
import type { PublicItem } from './items.ts'
import { scenery } from './scenery.ts'

/** An example of a docstring, as a whole file. */
export interface Example {
  /** `packages/jsonapi/src/schema/schema.ts` */
  readonly page: string
  /** The line of that file that the code's first line stands on. */
  readonly line: number
  readonly code: string
}

/** What entries of the package export, by their names: `type`, or `value` where it is there at run time. */
export type Exported = ReadonlyMap<string, ReadonlyMap<string, 'type' | 'value'>>

/**
 * The examples that stand above an item in its file: API Extractor's own copy of them has another layout.
 * What they use of an entry, their own one first, and do not import, is imported for them, as a reader's editor would.
 */
export function examplesOf(item: PublicItem, exported: Exported): readonly Example[] {
  const text = read(item.file)
  const comment = commentAbove(item, text)
  if (!comment) return []
  const [head = '', ...examples] = comment.text.split(/^ *\* @example\n/m)
  // The text begins below "/**", and the code below the tag.
  let line = lineOf(text, comment.start) + lines(head) + 2
  return examples.map((example) => {
    const code = example
      .split(/^ *\* @(?!example)/m, 1)[0]
      ?.replaceAll(/^ *\* ?/gm, '')
      .replace(/\/\s*$/, '') as string
    const at = line
    line += lines(example) + 1
    const before = linesBefore(code, item.specifier, exported)
    return { page: item.file, line: at - before.length, code: [...before, `${code}\nexport {}\n`].join('\n') }
  })
}

const lines = (text: string): number => text.split('\n').length - 1
const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

function commentAbove({ name, owner }: PublicItem, text: string) {
  const comment = String.raw`\/\*\*\n((?:(?!\*\/)[\s\S])*\*\/)\n(?: *\/\/.*\n)*`
  const start = text.search(new RegExp(String.raw`^(?:export )?(?:\w+ )*${owner}\b`, 'm'))
  const declaration =
    name === owner
      ? String.raw`export (?:\w+ )*${name}\b`
      : String.raw` +(?:(?:declare|readonly|protected|abstract|static|get|async) )*${name}\b`
  const found = [...text.matchAll(new RegExp(comment + declaration, 'g'))].find(
    ({ index }) => name === owner || index > start,
  )
  return found && { text: found[1] as string, start: found.index + 1 }
}

/**
 * Lines that import what the code uses of the entries; of a name that several have, the entry's own. What examples of the testing
 * entries use beside it is declared.
 */
function linesBefore(code: string, specifier: string, exported: Exported): readonly string[] {
  const bare = code.replaceAll(/\/\/.*|'[^'\n]*'/g, '')
  const has = (pattern: string) => new RegExp(pattern, 'm').test(bare)
  const declares = (name: string) => String.raw`\b(?:const|class|type|interface) (?:\{[^}]*|\[[^\]]*)?\b${name}\b`
  const imports = (name: string) => String.raw`^import .*\b${name}\b.* from `
  const uses = (name: string) => String.raw`(?<![.\w])${name}(?![\w:])`
  const isMissing = (name: string) => has(uses(name)) && !has(`${declares(name)}|${imports(name)}`)
  const taken = new Set<string>()
  const imported = [...new Set([specifier, 'prismapi', ...exported.keys()])].flatMap((from) => {
    const names = [...(exported.get(from) ?? [])].filter(([name]) => !taken.has(name) && isMissing(name))
    for (const [name] of names) taken.add(name)
    const list = names.map(([name, kind]) => (kind === 'type' ? `type ${name}` : name))
    return list.length > 0 ? [`import { ${list.join(', ')} } from '${from}'`] : []
  })
  const declared = specifier.startsWith('@prismapi/testing')
    ? Object.entries(scenery).flatMap(([name, type]) => (isMissing(name) ? [`declare const ${name}: ${type}`] : []))
    : []
  return [...imported, ...declared]
}
