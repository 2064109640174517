import { read } from './pages.ts'

/** "```ts file=src/a.ts" and what stands below it, up to its end. */
export interface Fence {
  readonly page: string
  /** The line of the page that the code begins on. */
  readonly line: number
  readonly language: string
  /** What stands behind the language: `file=src/a.ts as=admin@example.com`. A word without a value has an empty one. */
  readonly says: Readonly<Record<string, string>>
  readonly code: string
}

/** Of a page, in their order; those inside of lists without their indentation. */
export function fencesOf(page: string): readonly Fence[] {
  const text = read(page)
  return [...text.matchAll(/^( *)```(\w*)([^\n]*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', language = '', info = '', code = ''] = match
    return {
      page,
      line: text.slice(0, match.index).split('\n').length + 1,
      language,
      says: Object.fromEntries([...info.matchAll(/([\w-]+)(?:=(\S+))?/g)].map(([, name, value = '']) => [name, value])),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }
  })
}

/** `docs/hooks.md:12` */
export const placeOf = ({ page, line }: Pick<Fence, 'page' | 'line'>): string => `${page}:${line}`
