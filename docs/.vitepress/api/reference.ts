import { repositoryOf, sourceLink } from '../repository.ts'
import { declarationOf, toMarkdown } from './docstring.ts'
import { type Entry, read } from './entries.ts'

const repository = repositoryOf(JSON.parse(read('package.json')))

/** The page of an entry: each export with its docstring and its types. */
export function referenceOf({ name, source, report }: Entry): string {
  const exported = [...exportsOf(read(report))]
  const sections = exported.map(([each, types]) => {
    const declared = declarationOf(source, each)
    if (!declared) throw new Error(`${source}: ${each} has no docstring. Write one above its declaration.`)
    const { docstring, file, line } = declared
    return `## ${each}\n\n${toMarkdown(docstring)}\n\n\`\`\`ts\n${types}\n\`\`\`\n\n${sourceLink(file, line, repository)}`
  })
  return [`# ${name}`, ...sections].join('\n\n')
}

/** The exports of a report, each with its declarations. */
function exportsOf(report: string): ReadonlyMap<string, string> {
  const exported = new Map<string, string>()
  for (const part of report.split(/^\/\/ @public.*\n/m).slice(1)) {
    const [declaration = ''] = part.split(/\n(?=\/\/|```)/)
    const [, name] = /^export (?:abstract |declare )*(?:class|const|function|interface|type) (\w+)/.exec(part) ?? []
    if (name) exported.set(name, [exported.get(name), declaration.trim()].filter(Boolean).join('\n\n'))
  }
  return exported
}
