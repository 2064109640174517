import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { phrases } from '@prismapi/jsonapi/document/phrases'

// `npm run texts`: what clients can be told, as the sources have it. Catalogues are typed by it.

const root = path.resolve(import.meta.dirname, '..')
export const textsFile = path.join(root, 'packages/languages/src/texts.ts')

/** Their texts are for developers. */
const aside = ['cli', 'create-prismapi', 'proof', 'testing']

/** The templates of all texts that `say` makes, and the phrases of HTTP's errors, which are titles. */
export function textsOfSources(): readonly string[] {
  const sources = readdirSync(path.join(root, 'packages')).filter((name) => !aside.includes(name))
  const files = sources.flatMap((name) => filesBelow(path.join(root, 'packages', name, 'src')))
  const all = [...Object.values(phrases), ...files.flatMap((file) => templatesIn(readFileSync(file, 'utf8')))]
  // Nothing but a gap and punctuation is the same in all languages.
  return [...new Set(all)].filter((text) => /[a-z]/i.test(text.replaceAll(/\{\d+\}/g, ''))).sort()
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name))

function templatesIn(source: string): readonly string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return [...code.matchAll(/\bsay`/g)].map(({ index }) => templateAt(code, index + 4))
}

/** The template of the tagged literal whose text begins there. */
function templateAt(code: string, start: number): string {
  let template = ''
  let gaps = 0
  for (let i = start; code[i] !== '`'; i++) {
    if (code[i] === '\\') template += code[++i]
    else if (code.startsWith('${', i)) {
      i = endOfGap(code, i + 2)
      template += `{${gaps++}}`
    } else template += code[i]
  }
  return template
}

/** Where the brace is that closes the gap; texts within it have gaps of their own. */
function endOfGap(code: string, start: number): number {
  for (let depth = 1, i = start; ; i++) {
    if (code[i] === '`') i = endOfText(code, i + 1)
    else if (code[i] === '{') depth++
    else if (code[i] === '}' && --depth === 0) return i
  }
}

function endOfText(code: string, start: number): number {
  let i = start
  while (code[i] !== '`') i = code.startsWith('${', i) ? endOfGap(code, i + 2) + 1 : i + 1
  return i
}

/** The file of `textsFile`. */
export const textsSource = (): string => `// Written by \`npm run texts\`.

/** A text of the framework, with numbers in its gaps. */
export type OwnText =
${textsOfSources()
  .map((text) => `  | ${quoted(text)}`)
  .join('\n')}
`

const quoted = (text: string): string =>
  text.includes("'") ? (text.includes('"') ? JSON.stringify(text) : `"${text}"`) : `'${text}'`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(textsFile, textsSource())
