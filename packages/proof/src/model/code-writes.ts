import { lowerFirst } from '@prismapi/jsonapi/schema/naming'
import type { Changing } from './ways.ts'

/**
 * What code gets that writes: Prisma Client as `db` and `asSystem()`, `afterCommit`, and `save` for rows of any model.
 */
const writers = ['db', 'asSystem', 'save', 'afterCommit'] as const

/** What is done to rows of a model. */
interface Written {
  readonly model: string
  readonly action: Changing
}

/**
 * Whether code that gets an event may do that to rows of the model with it, judging by its source text: true unless the
 * text clearly says otherwise. A client of the code's own is not known here.
 */
export const mayWrite = (code: (...given: never[]) => unknown, written: Written, eventAt: 0 | 1): boolean =>
  textMayWrite(withoutComments(code.toString()), written, eventAt)

function textMayWrite(text: string, written: Written, eventAt: 0 | 1): boolean {
  const parameter = parametersOf(text)?.[eventAt]
  if (parameter === undefined) return parametersOf(text) === null || /\barguments\b/.test(text)
  const body = afterParameters(text)
  const names = parameter.startsWith('{') ? writers.filter((name) => hasWord(parameter, name)) : writers
  if (/^\w+$/.test(parameter) && new RegExp(`\\b${parameter}\\b(?!\\s*\\.)`).test(body)) return true
  // A part by another name, the rest of it, or what is no plain name.
  if (/\.\.\.|\b(?:db|asSystem|save|afterCommit)\s*[:=]/.test(parameter)) return true
  return names.some((name) => writes[name](body, written))
}

const writes = { db: clientWrites, asSystem: systemWrites, save: saves, afterCommit: worksLater } as const

/** Of `db`, the work after the commit has one of its own. */
function clientWrites(text: string, { model, action }: Written): boolean {
  const uses = text.replace(/\{[^{}()]*\bdb\b[^{}()]*\}\s*\)?\s*=>/g, '')
  const all = [...uses.matchAll(/\bdb\b/g)].length
  const calls = [...uses.matchAll(/\bdb\s*\??\.\s*(\w+)\s*\??\.\s*(\w+)\s*\(/g)]
  if (calls.length < all) return true
  const writes = calls.filter(([, , method = '']) => !/^(find|count|aggregate|groupBy)/.test(method))
  const isIt = ([, delegate, method = '']: readonly string[]) =>
    delegate === lowerFirst(model) && methodsOf[action].test(method)
  if (writes.some(isIt)) return true
  return writes.length > 0 && nested.test(text)
}

/** The trusted client of the same transaction: its calls are those of `db`. */
function systemWrites(text: string, written: Written): boolean {
  return clientWrites(text.replace(/\bdb\b/g, '_').replace(/\basSystem\b(?:\s*\(\s*\))?/g, 'db'), written)
}

/** What each is done by, or may be: of a method that is none of Prisma's nothing is known. */
const methodsOf: Readonly<Record<Changing, RegExp>> = {
  create: /^(?!update|delete)/,
  update: /^(?!create|delete)/,
  delete: /^(?!create|update|upsert)/,
  forceDelete: /^(?!create|update|upsert)/,
}

/** Prisma writes rows of other models behind relations. */
const nested =
  /\b(?:create|createMany|connect|connectOrCreate|disconnect|set|update|updateMany|upsert|delete|deleteMany)\s*:/

function saves(text: string, { model, action }: Written): boolean {
  if (action === 'delete' || action === 'forceDelete') return false
  const all = [...text.matchAll(/\bsave\b/g)].length
  const calls = [...text.matchAll(/\bsave\s*\(\s*['"](\w+)['"]/g)]
  return calls.length < all || calls.some(([, named]) => named === model)
}

/** Work after the commit is code that is handed a client of its own. */
function worksLater(text: string, written: Written): boolean {
  const all = [...text.matchAll(/\bafterCommit\b/g)].length
  const calls = [...text.matchAll(/\bafterCommit\s*(?=\()/g)].map(({ index, 0: { length } }) =>
    text.slice(index + length),
  )
  return (
    calls.length < all ||
    calls.some((call) => textMayWrite(call.slice(1, endOfParameters(call) ?? 0).trim(), written, 0))
  )
}

const hasWord = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text)

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

/** Where the parameters of a function end, in its text. */
function endOfParameters(text: string): number | null {
  const start = text.indexOf('(')
  let depth = 0
  for (let at = start; at >= 0 && at < text.length; at++) {
    if ('([{'.includes(text[at] as string)) depth++
    if (')]}'.includes(text[at] as string)) depth--
    if (depth === 0) return at
  }
  return null
}

const afterParameters = (text: string): string => text.slice((endOfParameters(text) ?? -1) + 1)

/** As they are written; null where that is not told, as of built-in functions. */
function parametersOf(text: string): readonly string[] | null {
  const end = endOfParameters(text)
  if (end === null || !/^(?:async\s+)?(?:function\b\s*\*?\s*)?[\w$]*\s*\(/.test(text) || text.includes('[native code]'))
    return null
  const found: string[] = []
  let depth = 0
  let from = text.indexOf('(') + 1
  for (let at = from; at <= end; at++) {
    if ('([{'.includes(text[at] as string)) depth++
    if ((at === end || text[at] === ',') && depth === 0) {
      found.push(text.slice(from, at).trim())
      from = at + 1
    }
    if (')]}'.includes(text[at] as string)) depth--
  }
  return found.filter((each) => each !== '')
}
