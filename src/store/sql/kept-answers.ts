import { type Awaitable, after, isPromise } from '../../model/awaitable.ts'
import { type BoundedCache, boundedCache } from '../../request/bounded-cache.ts'
import type { Bound, Version } from './database.ts'

/** Answers of a database that has not changed since they were given. */
export interface KeptAnswers<Answer> {
  get(key: string, values: readonly Bound[], ask: () => Awaitable<Answer>): Awaitable<Answer>
}

const keptAnswers = 1000

/**
 * Keeps answers until `version` says that somebody has committed: then none is used again. The version is read before the
 * question is asked, so that what is committed in between is never taken for known.
 */
export function keepAnswers<Answer>(version: () => Awaitable<Version>): KeptAnswers<Answer> {
  let seen: Version | null = null
  let answers: BoundedCache<Awaitable<Answer>> = boundedCache(keptAnswers)
  const forget = () => {
    seen = null
  }
  return {
    get: (key, values, ask) =>
      after(version(), (now) => {
        if (now !== seen) {
          seen = now
          answers = boundedCache(keptAnswers)
        }
        return answers.get(`${key}\n${textOfValues(values)}`, () => {
          const answer = ask()
          // What failed is asked again.
          if (isPromise(answer)) answer.catch(forget)
          return answer
        })
      }),
  }
}

/** The same for the same values, and for no others. */
export const textOfValues = (values: readonly Bound[]): string => values.map(textOf).join('\n')

const textOf = (value: Bound): string =>
  Array.isArray(value) ? `[${textOfValues(value)}\n]` : `${typeof value} ${JSON.stringify(String(value))}`
