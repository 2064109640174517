/** How the prose of a page is written: the style guide, as far as it can be counted. */
export interface Counts {
  readonly words: number
  /** `you`, `your`, `yours`, `yourself`. */
  readonly you: number
  /** `example`, `for instance`, `such as`. */
  readonly examples: number
  readonly what: number
  /** Tips, notes, warnings: `> [!WARNING]`, `::: danger`. */
  readonly boxes: number
}

/** Of 1,000 words: at least, and of `what` at most. */
export type Limits = Readonly<Omit<Counts, 'words'>>

export type Kind = 'guide' | 'recipe' | 'reference'

const limits: Readonly<Record<Kind, Limits>> = {
  guide: { you: 20, examples: 2, what: 1.5, boxes: 2 },
  recipe: { you: 15, examples: 1, what: 1.5, boxes: 1 },
  reference: { you: 5, examples: 1, what: 1.5, boxes: 0 },
}

/** Pages that are looked up rather than read. */
const references: ReadonlySet<string> = new Set([
  ...['deprecation', 'diff', 'doctor', 'errors', 'explain', 'generators', 'limits', 'requests', 'specification'],
  ...['profiles/filter', 'profiles/query', 'profiles/statistics', 'profiles/upsert', 'troubleshooting', 'upgrading'],
])

/** Of a page by its path below `docs/`, without its ending; null for a page that is for contributors, or has no prose. */
export function kindOf(page: string): Kind | null {
  if (/^adr\/|^api\/|^index$|^testing-the-project$|^performance-tried$/.test(page)) return null
  if (page.startsWith('cookbook/')) return 'recipe'
  return references.has(page) ? 'reference' : 'guide'
}

/** A word of the dictionary that stands in a text, and the word to write. */
interface Slip {
  readonly word: string
  readonly write: string
}

const dictionary: readonly (readonly [RegExp, string])[] = [
  [/\banswer(?:s|ed|ing)?\b/gi, 'response, return'],
  [/\binstants?\b/gi, 'date and time'],
  [/\bdear(?:er|est)?\b/gi, 'expensive'],
  [/\bboot(?:s|ed|ing)?\b/gi, 'startup'],
  [/\bbesides?\b/gi, 'in addition to'],
  [/\b(?:tells?|told|says|said)\b/gi, 'return, report, state'],
]

/** Of Markdown without what is code, a table, a heading or a link's target. */
function proseOf(markdown: string): string {
  return markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^( *)(```+)[\s\S]*?^\1\2$/gm, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^<(script|style)[\s\S]*?^<\/\1>$/gm, '')
    .replaceAll(/^ *\|.*\|$/gm, '')
    .replaceAll(/^#+ .*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>\n]+>/g, '')
    .replaceAll(/`[^`]*`/g, 'x')
}

export function countsOf(markdown: string): Counts {
  const prose = proseOf(markdown)
  const count = (pattern: RegExp) => [...prose.matchAll(pattern)].length
  return {
    words: count(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu),
    you: count(/\byou(?:r|rs|rself)?\b/gi),
    examples: count(/\b(?:examples?|for instance|such as)\b/gi),
    what: count(/\bwhat\b/gi),
    boxes: count(/^ *(?:> \[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]|::: (?:tip|info|warning|danger))/gm),
  }
}

/** What is missing on a page of a kind, and the words to change; empty where the page holds the style guide. */
export function faultsOf(markdown: string, kind: Kind): readonly string[] {
  const counts = countsOf(markdown)
  const of = (name: keyof Limits) => (limits[kind][name] * counts.words) / 1000
  const few = (['you', 'examples', 'boxes'] as const).flatMap((name) => {
    // A short recipe has one box at least.
    const least = Math.max(name === 'boxes' && kind === 'recipe' ? 1 : 0, Math.floor(of(name)))
    return counts[name] < least ? [`${name}: ${counts[name]} in ${counts.words} words, at least ${least}`] : []
  })
  const most = Math.max(1, Math.floor(of('what')))
  const many = counts.what > most ? [`what: ${counts.what} in ${counts.words} words, at most ${most}`] : []
  const words = slipsOf(proseOf(markdown)).map(({ word, write }) => `"${word}": write ${write}`)
  const unnamed = kind === 'reference' ? [] : unnamedIn(markdown)
  return [...few, ...many, ...new Set(words), ...speedsOf(markdown), ...unnamed]
}

const slipsOf = (prose: string): readonly Slip[] =>
  dictionary.flatMap(([pattern, write]) => [...prose.matchAll(pattern)].map(([word]) => ({ word, write })))

/** Figures of speed, which stand on the page about performance. */
const speedsOf = (markdown: string): readonly string[] =>
  /^# Performance/m.test(markdown) || !/\bEPYC\b|\bmedians?\b|\bbusy (?:machine|cores)\b/.test(proseOf(markdown))
    ? []
    : ['figures of speed: they stand on Performance']

/** Blocks of code without the name of their file in the line above, or in what stands behind the language. */
function unnamedIn(markdown: string): readonly string[] {
  const lines = markdown.split('\n')
  const blocks = [...markdown.matchAll(/^( *)```(ts|prisma)\b([^\n]*)\n[\s\S]*?^\1```$/gm)]
  return blocks.flatMap(({ index, 3: info = '' }) => {
    const line = markdown.slice(0, index).split('\n').length
    const above = lines.slice(0, line - 1).filter((each) => each.trim() !== '')
    const isNamed = /(?:file|write|shows)=/.test(info) || /`[^`]+\.(?:ts|prisma)`/.test(above.slice(-2).join(' '))
    return isNamed ? [] : [`line ${line}: a block without the name of its file above it`]
  })
}
