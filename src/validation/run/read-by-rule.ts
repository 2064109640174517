import type { ISchema } from 'yup'
import { JsonApiError } from '../../document/error.ts'
import { badParameter } from '../../document/errors.ts'
import type { ReadByRule } from '../../query/query-context.ts'
import { detailOf } from '../failures/messages.ts'
import { readText } from './read-parameters.ts'
import { runRulesSync } from './run-rules.ts'

/** The value of a filter that a schema class declares a rule for. */
export const readByRule: ReadByRule = (rule, { name, key, text }, user) => {
  const value = readText(rule, text)
  const rules = { fields: new Map<string, ISchema<unknown>>([[name, rule]]), below: [] }
  const failures = runRulesSync(rules, { [name]: value }, { user })
  const error = JsonApiError.all(failures.map((failed) => badParameter(key, detailOf(failed, noWording))))
  if (error) throw error
  return value
}

const noWording = { messages: {}, attributes: {} }
