import { isEverything } from '../condition/build.ts'
import { badParameter } from '../document/errors.ts'
import { say } from '../document/text.ts'
import type { Attribute, ResourceSchema } from '../schema/resource-schema.ts'
import { type FigureFunction, figureFunctions, functionsOf, type Statistics } from '../schema/statistics.ts'
import { mapAll } from './failures.ts'
import { notAllowed, type Parameter } from './parameters.ts'
import { type CheckContext, isNeverSeen, seenOf } from './query-context.ts'

/** The family of parameters that ask for figures: `withStats[rating]=avg,max`. */
export const statsFamily = 'withStats'

/** Figures that are asked for of one attribute; of rows, where that is null. */
export interface Figures {
  /** As the document names it: `*` for rows. */
  readonly name: string
  readonly attribute: Attribute | null
  readonly functions: readonly FigureFunction[]
}

/** A request may ask for so many. */
const maxFigures = 20

const countOfRows: Figures = Object.freeze({ name: '*', attribute: null, functions: Object.freeze(['count'] as const) })

/** What is told where a client asks for no figures by name. */
export const onlyCount: readonly Figures[] = Object.freeze([countOfRows])

/** The statistics of a type as far as this request may know them: none of a field that it sees of no row. */
export function seenStatistics(
  schema: ResourceSchema,
  check: Pick<CheckContext, 'seen' | 'masksValues'>,
): Statistics | null {
  const { statistics, model } = schema
  if (!statistics || check.seen(model.name) === null) return statistics
  const isSeen = ([, { name }]: readonly [string, { readonly name: string }]) =>
    check.masksValues ? !isNeverSeen(schema, name, check) : isEverything(seenOf(schema, name, check))
  return {
    ...statistics,
    aggregated: new Map([...statistics.aggregated].filter(isSeen)),
    grouped: new Map([...statistics.grouped].filter(isSeen)),
  }
}

/**
 * In: the parameters `withStats[…]`. Out: the figures that they ask for, in the order sent.
 *
 * @throws JsonApiError 400 at the exact key, for attributes that are not declared and functions that do not fit.
 */
export function checkStats(sent: readonly Parameter[], statistics: Statistics): readonly Figures[] {
  const seen = new Set<string>()
  const figures = mapAll(sent, (parameter) => {
    if (seen.has(parameter.key))
      throw badParameter(parameter.key, say`Query parameter ${parameter.key} must not be repeated.`)
    seen.add(parameter.key)
    return checkFigures(parameter, statistics)
  })
  let left = maxFigures
  for (const [i, { functions }] of figures.entries()) {
    left -= functions.length
    if (left >= 0) continue
    throw badParameter((sent[i] as Parameter).key, say`A request must not ask for more than ${maxFigures} figures.`)
  }
  return figures
}

function checkFigures({ key, path, value }: Parameter, { aggregated }: Statistics): Figures {
  const [name, ...more] = path
  if (name === undefined || more.length > 0) throw notAllowed(key)
  const attribute = name === '*' ? null : aggregated.get(name)
  if (attribute === undefined) throw badParameter(key, say`Field ${name} has no statistics.`)
  const known = attribute === null ? countOfRows.functions : functionsOf(attribute)
  if (value === '') throw badParameter(key, say`Name in ${key} what is asked of ${name}: ${known.join(', ')}.`)
  const functions = value.split(',').map((text) => {
    const found = known.find((each) => each === text)
    if (found) return found
    const isFunction = (figureFunctions as readonly string[]).includes(text)
    throw badParameter(
      key,
      isFunction ? say`The function ${text} does not fit ${name}.` : say`There is no function ${text}.`,
    )
  })
  const again = functions.find((each, i) => functions.indexOf(each) < i)
  if (again) throw badParameter(key, say`The function ${again} is repeated.`)
  return { name, attribute, functions }
}
