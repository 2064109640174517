import { type Annotations, annotationNames } from '@prismapi/jsonapi/model/meta'
import { editDistance } from '@prismapi/jsonapi/model/nearest'

/** A `///` or `/** *\/` comment, taken apart. */
export interface Comment {
  readonly annotations: ReadonlySet<Annotation>
  /** Words that look like an annotation spelt wrong, with what was probably meant. */
  readonly misspelt: readonly Misspelling[]
  /** The comment without its annotations, or null when nothing is left. */
  readonly text: string | null
}

export interface Misspelling {
  readonly word: string
  readonly meant: Annotation
}

export type Annotation = (typeof annotationNames)[number]

const known: readonly Annotation[] = annotationNames

/** Takes a Prisma `documentation` apart. Only a line that begins with `@` can be an annotation: `a@b.c` is text. */
export function parseComment(documentation: string | undefined): Comment {
  const annotations = new Set<Annotation>()
  const misspelt: Misspelling[] = []
  const text: string[] = []
  for (const line of textLines(documentation ?? '')) {
    const words = leadingWords(line)
    const meanings = words.map(toMeaning)
    if (meanings[0] === null || words.length === 0) text.push(line)
    for (const [index, meant] of meanings.entries()) {
      if (meant === null) break
      if (meant === words[index]) annotations.add(meant)
      else misspelt.push({ word: words[index] ?? '', meant })
    }
  }
  return { annotations, misspelt, text: toText(text) }
}

export const toAnnotations = ({ annotations }: Comment): Annotations => ({
  hidden: annotations.has('hidden'),
  readOnly: annotations.has('readOnly'),
  writeOnly: annotations.has('writeOnly'),
})

// Prisma trims the lines of `///` and keeps the stars and the indentation of `/** */`. So a second line that has its
// star in the first column is an item of a list.
function textLines(documentation: string): string[] {
  const lines = documentation.split('\n')
  const isBlock = /^\*(?=\s|@|$)/.test(lines[0] ?? '') && (lines[0]?.trim() === '*' || !lines.slice(1).some(isItem))
  return isBlock ? lines.map((line) => line.replace(/^\s*\*?\s?/, '')) : lines
}

const isItem = (line: string): boolean => line.startsWith('*')

/** `@hidden @readOnly because …` → `hidden`, `readOnly`. A star before it is of a comment that starts in column one. */
function leadingWords(line: string): string[] {
  const leading = /^(?:@[A-Za-z]\w*(?:[-.]\w+)*\s*)+/.exec(line.replace(/^[\s*]+/, ''))?.[0] ?? ''
  return leading.split(/[@\s]+/).filter((word) => word !== '')
}

function toMeaning(word: string): Annotation | null {
  if (known.includes(word as Annotation)) return word as Annotation
  const plain = word
    .replace(/^(?:prismapi|jsonapi)\./i, '')
    .replace(/[-_]/g, '')
    .toLowerCase()
  // Many a word is two letters away from a short one.
  const isNear = (name: string) => editDistance(plain, name.toLowerCase()) <= (name.length > 4 ? 2 : 1)
  return known.find(isNear) ?? null
}

function toText(lines: readonly string[]): string | null {
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return text === '' ? null : text
}
