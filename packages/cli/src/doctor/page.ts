import type { Terminal } from '../terminal.ts'
import type { DoctorReport, Finding, RelationReport, TypeReport } from './report.ts'

interface PageParts {
  readonly title: string
  /** What the classes of a server changed. */
  readonly changes: readonly string[]
}

/** The report for people: a table of types, then what was decided without being asked. */
export function doctorPage(report: DoctorReport, { title, changes }: PageParts, { paint }: Terminal): string {
  const { types, hidden, secrets, renamed, warnings } = report
  const sections = [
    ['changed by schema classes', changes],
    ['hidden', hidden.map(lineOf)],
    ['secrets', secrets.map(lineOf)],
    ['renamed', renamed.map(lineOf)],
    ['warnings', warnings],
  ] as const
  const shown = sections.filter(([, lines]) => lines.length > 0)
  return [
    paint('bold', title),
    ...(types.length > 0 ? [table(types, paint)] : []),
    ...shown.map(([name, lines]) => [paint('cyan', name), ...lines.map((line) => `  ${line}`)].join('\n')),
  ].join('\n\n')
}

/** `Note.type: served as noteType, …` */
const lineOf = (finding: Finding): string =>
  `${placeOf(finding)}: ${finding.name === undefined ? '' : `served as ${finding.name}, because `}${finding.reason}`

/** `Post.title`, or `Post`. */
export const placeOf = ({ model, field }: Finding): string => (field === undefined ? model : `${model}.${field}`)

const width = 120

function table(types: readonly TypeReport[], paint: Terminal['paint']): string {
  const rows = types.map((type) => [type.type, type.model, idOf(type)] as const)
  const head = ['type', 'model', 'id'] as const
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => (row[i] as string).length)))
  const cellsOf = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => cell.padEnd(widths[i] as number)).join('  ')}  `
  const lines = rows.map((row, i) => {
    const cells = cellsOf(row)
    const { relations } = types[i] as TypeReport
    const room = Math.max(width - cells.length, 40)
    return `${cells}${wrapped(relations.map(relationOf), room).join(`\n${' '.repeat(cells.length)}`)}`.trimEnd()
  })
  return [paint('cyan', `${cellsOf(head)}relations`), ...lines].join('\n')
}

/** A list with commas, on as many lines as it needs. */
function wrapped(words: readonly string[], room: number): readonly string[] {
  const lines: string[] = []
  for (const [i, each] of words.entries()) {
    const word = i === words.length - 1 ? each : `${each},`
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** `integer`; `tenantId_number`, the parts of a composite one. */
function idOf({ id, operations }: TypeReport): string {
  const fields = id.fields.length === 1 ? id.kind : id.fields.join('_')
  const lacking = ['create', 'update', 'delete'].filter((verb) => !operations.includes(verb))
  const fromClients = id.clientGenerated && operations.includes('create') ? ', from clients' : ''
  if (lacking.length === 3) return `${fields}, read only`
  return `${fields}${fromClients}${lacking.length > 0 ? `, no ${lacking.join(' and no ')}` : ''}`
}

/** As TypeScript would write it: `author: users`, `tags: tags[]`, `owner?: users`. */
const relationOf = ({ name, kind, types, required, nullable }: RelationReport): string =>
  `${name}${kind === 'toMany' || required || nullable === false ? '' : '?'}: ${types.join(' | ')}${kind === 'toMany' ? '[]' : ''}`
