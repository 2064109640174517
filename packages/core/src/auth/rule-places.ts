import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { dashed } from '@prismapi/jsonapi/schema/naming'
import { type AnyPolicy, policyFile } from './policy.ts'
import { declaredRules } from './rules.ts'

// Where rules stand, and their text. Only explanations ask, outside of production: a policy is asked once more for it.

/** Where something is written that decides. */
export interface SourcePlace {
  /** `policies/post.policy.ts:13`, or the file alone where the line is not known. */
  readonly at: string
  /** What stands there: `can('update', { authorId: user.id })`; null where it cannot be read. */
  readonly text: string | null
}

/** The place of each rule that the policy declares for the user, in their order. */
export function rulePlaces(policy: AnyPolicy, model: string, user: unknown): readonly SourcePlace[] {
  const places: SourcePlace[] = []
  const file = policyFile(model, policy)
  declaredRules(policy, model, user, () => places.push(callerPlace() ?? { at: file, text: null }))
  return places
}

/** The place of a method in the first of the files that has it, by its name; null where none has. */
export function methodPlace(files: readonly string[], name: string): SourcePlace | null {
  for (const file of files) {
    const lines = linesOf(file)
    const at = lines.findIndex((line) => line.replace(modifiers, '').startsWith(`${name}(`))
    if (at >= 0) return { at: `${file}:${at + 1}`, text: `${name}()` }
  }
  return null
}

/** The place of a method of a request class, in the folders that it is looked for in; null where none has it. */
export function requestPlace(server: string, model: string, method: string): SourcePlace | null {
  const file = `${dashed(model)}.request.ts`
  return methodPlace([`requests/${server}/${file}`, `requests/${file}`], method)
}

const modifiers = /^\s+(?:(?:override|public|async)\s+)*/

const linesOf = (file: string): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])

/** The line that calls `can` or `cannot`, below the working directory; null for one that lies elsewhere. */
function callerPlace(): SourcePlace | null {
  for (const frame of (new Error().stack ?? '').split('\n')) {
    const [, file = '', line = ''] = placed.exec(frame) ?? []
    if (file === '' || /[\\/]auth[\\/](?:rules|rule-places)\.[jt]s$/.test(file)) continue
    const below = path.relative(process.cwd(), file)
    if (below.startsWith('..') || path.isAbsolute(below)) return null
    return { at: `${below.split(path.sep).join('/')}:${line}`, text: statementAt(linesOf(file), Number(line)) }
  }
  return null
}

const placed = /(?:^|[\s(])(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/]).+?)(?:\?[^:]*)?:(\d+):\d+\)?$/

const mostLines = 5

/** The call that begins on a line, until its parentheses are closed; null where that is no rule. */
function statementAt(lines: readonly string[], line: number): string | null {
  let text = ''
  for (const each of lines.slice(line - 1, line - 1 + mostLines)) {
    text = `${text} ${each.trim()}`.trim()
    if (text.split('(').length === text.split(')').length) break
  }
  return /\bcan(?:not)?\(/.test(text) ? text : null
}
