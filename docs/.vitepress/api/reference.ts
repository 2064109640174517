import { docstringOf, toMarkdown } from './docstring.ts'
import { type Entry, read } from './entries.ts'

/** The page of an entry: each export with its docstring and its types. */
export function referenceOf({ name, source, report }: Entry): string {
  const exported = [...exportsOf(read(report))]
  const sections = exported.map(
    ([each, types]) => `## ${each}\n\n${toMarkdown(docstringOf(source, each))}\n\n\`\`\`ts\n${types}\n\`\`\``,
  )
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
