import { columns, wrapped } from '../columns.ts'
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
    [paint('bold', title), ...summaryOf(report).map((line) => `  ${line}`)].join('\n'),
    ...(types.length > 0 ? [table(types, paint)] : []),
    ...shown.map(([name, lines]) => [paint('cyan', name), ...lines.flatMap(indented)].join('\n')),
  ].join('\n\n')
}

/** The figures of the report, in four lines at most. */
function summaryOf({ types, hidden, secrets, renamed, skipped, warnings }: DoctorReport): readonly string[] {
  const wrong = skipped.filter(({ isIgnored }) => !isIgnored).length
  const unmade = types.filter(({ operations }) => !operations.includes('create')).length
  const named = { hidden, secret: secrets, renamed }
  const fields = Object.entries(named).flatMap(([name, { length }]) => (length > 0 ? [`${length} ${name}`] : []))
  const lines = [
    wrong > 0 && `${counted(wrong, 'model or relation', 'models and relations')} cannot be served: see the errors`,
    warnings.length > 0 && `${counted(warnings.length, 'warning')}: see below`,
    unmade > 0 && `${counted(unmade, 'type')} without create`,
    fields.length > 0 && fields.join(', '),
  ].filter((line) => line !== false)
  return lines.length > 0 ? lines : ['nothing is missing']
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** A sentence of a section, whose further lines stand further in. */
const indented = (text: string): readonly string[] =>
  wrapped(text.split(' '), columns - 4).map((line, i) => (i === 0 ? `  ${line}` : `    ${line}`))

/** `Note.type: served as noteType, …` */
const lineOf = (finding: Finding): string =>
  `${placeOf(finding)}: ${finding.name === undefined ? '' : `served as ${finding.name}, because `}${finding.reason}`

/** `Post.title`, or `Post`. */
export const placeOf = ({ model, field }: Finding): string => (field === undefined ? model : `${model}.${field}`)

/** Columns that relations need beside the others. */
const least = 30

function table(types: readonly TypeReport[], paint: Terminal['paint']): string {
  const rows = types.map((type) => [type.type, type.model, idOf(type)] as const)
  const head = ['type', 'model', 'id'] as const
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => (row[i] as string).length)))
  const cellsOf = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => cell.padEnd(widths[i] as number)).join('  ')}  `
  const lines = rows.map((row, i) => {
    const cells = cellsOf(row)
    const { relations } = types[i] as TypeReport
    // A table of long names leaves no room beside them: their relations stand below.
    const indent = cells.length + least <= columns ? cells.length : 6
    const [first = '', ...rest] = wrapped(listed(relations.map(relationOf)), columns - indent)
    const more = indent === cells.length ? rest : [first, ...rest]
    return [
      `${cells}${indent === cells.length ? first : ''}`.trimEnd(),
      ...more.map((each) => ' '.repeat(indent) + each),
    ]
      .filter((each) => each.trim() !== '')
      .join('\n')
  })
  return [paint('cyan', `${cellsOf(head)}relations`), ...lines].join('\n')
}

/** A list with commas. */
const listed = (words: readonly string[]): readonly string[] =>
  words.map((word, i) => (i === words.length - 1 ? word : `${word},`))

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
