import type { Terminal } from '../terminal.ts'
import type { Change } from './compare.ts'

interface PageParts {
  readonly title: string
}

/** The changes for people: those that break, those that break as announced, and the others; each by where it is. */
export function diffPage(changes: readonly Change[], { title }: PageParts, { paint }: Terminal): string {
  const sections = [
    [paint('red', 'breaking'), changes.filter(isUnannounced)],
    [paint('yellow', 'breaking, as announced'), changes.filter(isAnnounced)],
    [paint('green', 'compatible'), changes.filter(({ breaks }) => !breaks)],
  ] as const
  const shown = sections.filter(([, list]) => list.length > 0)
  return [
    `${paint('bold', title)}: ${changes.length === 0 ? 'nothing changed for clients' : countsOf(changes)}`,
    ...shown.map(([name, list]) => [name, ...placesOf(list, paint)].join('\n')),
  ].join('\n\n')
}

/** Does it break clients who were told when. */
const isAnnounced = ({ breaks, sunset }: Change): boolean => breaks && sunset !== null
export const isUnannounced = ({ breaks, sunset }: Change): boolean => breaks && sunset === null

const countsOf = (changes: readonly Change[]): string => {
  const breaking = changes.filter(({ breaks }) => breaks)
  return `${breakingCount(breaking)}, ${changes.length - breaking.length} do not`
}

export const breakingCount = ({ length }: readonly Change[]): string =>
  `${length} ${length === 1 ? 'change breaks' : 'changes break'} clients`

function placesOf(changes: readonly Change[], paint: Terminal['paint']): readonly string[] {
  const places = groupedBy(changes, ({ where }) => where)
  return [...places].flatMap(([where, list]) => [
    `  ${paint('cyan', where)}`,
    ...linesOf(list).map((line) => `    ${line}`),
  ])
}

const most = 6

/** What changed alike is one line. */
function linesOf(changes: readonly Change[]): readonly string[] {
  const alike = groupedBy(changes, saidOf)
  return [...alike].map(([said, list]) => {
    const whats = list.map(({ what }) => what)
    const more = whats.length > most ? ` and ${whats.length - most} more` : ''
    return `${whats.slice(0, most).join(', ')}${more}: ${said}`
  })
}

const saidOf = ({ says, sunset }: Change): string => (sunset === null ? says : `${says} (its sunset was ${sunset})`)

function groupedBy(
  changes: readonly Change[],
  nameOf: (change: Change) => string,
): ReadonlyMap<string, readonly Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const name = nameOf(change)
    groups.set(name, [...(groups.get(name) ?? []), change])
  }
  return groups
}
