import type { Bound, Version } from '@prismapi/core/database/sql-database'
import { type Awaitable, isPromise } from '@prismapi/jsonapi/model/awaitable'
import { type BoundedCache, boundedCache } from '@prismapi/jsonapi/model/memo'

/** Answers of a database that has not changed since they were given. */
export interface CountCache<Answer> {
  /** `version`: that of the database, read before the question is asked. */
  get(version: Version, question: Question, ask: () => Awaitable<Answer>): Awaitable<Answer>
}

interface Question {
  readonly key: string
  readonly values: readonly Bound[]
}

const maxAnswers = 1000
/** Of the keys of all answers. */
const maxCharacters = 262_144

/**
 * Keeps answers until the version says that a write has been committed: then none is used again. As
 * the version is older than the question, what is committed in between is never taken for known.
 */
export function countCache<Answer>(): CountCache<Answer> {
  let keptAt: Version | null = null
  let answers: BoundedCache<Awaitable<Answer>> = boundedCache(maxAnswers, maxCharacters)
  const forget = () => {
    keptAt = null
  }
  return {
    get(version, { key, values }, ask) {
      if (version !== keptAt) {
        keptAt = version
        answers = boundedCache(maxAnswers, maxCharacters)
      }
      return answers.get(`${key}\n${textOfValues(values)}`, () => {
        const answer = ask()
        // What failed is asked again.
        if (isPromise(answer)) answer.catch(forget)
        return answer
      })
    },
  }
}

/** The same for the same values, and for no others. */
export const textOfValues = (values: readonly Bound[]): string => values.map(textOf).join('\n')

const textOf = (value: Bound): string =>
  Array.isArray(value) ? `[${textOfValues(value)}\n]` : `${typeof value} ${JSON.stringify(String(value))}`
