import { type BoundedCache, boundedCache } from '../../request/bounded-cache.ts'
import type { Bound } from './database.ts'

/** Answers of a database that has not changed since they were given. */
export interface KeptAnswers<Answer> {
  get(key: string, values: readonly Bound[], ask: () => Answer): Answer
}

const keptAnswers = 1000

/**
 * Keeps answers until `version` says that somebody has committed: then none is used again. The version is read before the
 * question is asked, so that what is committed in between is never taken for known.
 */
export function keepAnswers<Answer>(version: () => number): KeptAnswers<Answer> {
  let seen: number | null = null
  let answers: BoundedCache<Answer> = boundedCache(keptAnswers)
  return {
    get(key, values, ask) {
      const now = version()
      if (now !== seen) {
        seen = now
        answers = boundedCache(keptAnswers)
      }
      return answers.get(`${key}\n${values.map(textOf).join('\n')}`, ask)
    },
  }
}

const textOf = (value: Bound): string => `${typeof value} ${JSON.stringify(String(value))}`
