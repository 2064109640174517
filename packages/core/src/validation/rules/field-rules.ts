import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { statsSegment } from '@prismapi/jsonapi/schema/statistics'
import { type MixedSchema, mixed, type StringSchema, type TestConfig, string as yupString } from 'yup'
import { parsePath } from '../failures/places.ts'
import { ruleContext } from './rule-set.ts'
import { object } from './rules.ts'

/**
 * An id that the client chose: it must match the schema's identifier pattern. Absent ids pass; `required()` makes the
 * client always send one.
 *
 * @see https://jsonapi.org/format/#crud-creating-client-ids
 * @example
 * export default class VideoRequest extends ResourceRequest<'Video'> {
 *   override rules() {
 *     return this.checked({ ...this.inferred(), id: clientId().required() })
 *   }
 * }
 */
export const clientId = (): StringSchema<string | null | undefined> =>
  yupString()
    .strict()
    .nullable()
    .meta({ rule: 'clientId' })
    .test({
      name: 'clientId',
      skipAbsent: true,
      test(value, test) {
        const schema = ruleContext(test)?.schema
        return !schema || isId(value as string, schema)
      },
    })

const isId = (text: string, { id, statistics }: ResourceSchema): boolean =>
  id.takes(text) && !(statistics && text === statsSegment)

/**
 * Refuses the member, or the query parameter, when it is sent.
 *
 * @example
 * export default class TagCollectionQuery extends ResourceCollectionQuery<'Tag'> {
 *   override rules() {
 *     return this.checked({ page: notSupported() })
 *   }
 * }
 */
export const notSupported = (): MixedSchema<unknown> =>
  mixed()
    .nullable()
    .test({
      name: 'notSupported',
      test(value, test) {
        const [field = ''] = parsePath(test.path)
        return value === undefined || ruleContext(test)?.sent.has(field) === false
      },
    }) as MixedSchema<unknown>

/**
 * The query parameter `page`: an object with the members that the type's paginator knows.
 *
 * @see https://jsonapi.org/format/#fetching-pagination
 * @example
 * export default class TagCollectionQuery extends ResourceCollectionQuery<'Tag'> {
 *   override rules() {
 *     return this.checked({ page: page().required() })
 *   }
 * }
 */
export const page = () =>
  object().test({
    name: 'page',
    skipAbsent: true,
    test(value, test) {
      const paginator = ruleContext(test)?.schema.paginator
      const unknown = paginator && Object.keys(value as object).find((key) => !paginator.keys.includes(key))
      return unknown === undefined || unknown === null || test.createError({ path: `${test.path}.${unknown}` })
    },
  })

/**
 * What `test()` of yup takes.
 *
 * @internal
 */
type Test = TestConfig<unknown>

/**
 * A test: no other row of the model has this value, hidden rows included; with other fields, no other row has the same
 * combination. Other fields are attributes, to-one relations and columns: `unique('author')`. The database is asked
 * after all other rules have passed. `null` clashes with nothing.
 *
 * @throws {Error} at startup, for a name that the model lacks, and where the database has the value unique only
 * together with other fields: the message says what to write. For a rule behind `when()`, when the rule runs.
 * @example
 * export default class PostRequest extends ResourceRequest<'Post'> {
 *   override rules() {
 *     return this.checked({
 *       slug: string().required().test(unique()),
 *       title: string().test(unique({ with: ['author'] })),
 *     })
 *   }
 * }
 */
export const unique = (...others: readonly string[] | readonly [{ readonly with: readonly string[] }]): Test => {
  const [first] = others
  const together = typeof first === 'object' ? first.with : (others as readonly string[])
  return {
    name: 'unique',
    params: { with: together },
    skipAbsent: true,
    test(_value, test) {
      ruleContext(test)?.uniques.push({ field: parsePath(test.path)[0] as string, together })
      return true
    },
  }
}

/**
 * A test: another field repeats the value; `<field>_confirmation`, unless it is named.
 *
 * @example
 * export default class UserRequest extends ResourceRequest<'User', 'password' | 'passwordConfirmation'> {
 *   override rules() {
 *     return this.checked({
 *       password: string().min(12).test(confirmed('passwordConfirmation')),
 *       passwordConfirmation: string(),
 *     })
 *   }
 * }
 */
export const confirmed = (by?: string): Test => ({
  name: 'confirmed',
  skipAbsent: true,
  test: (value, test) => siblingOf(test.parent, by ?? `${parsePath(test.path).at(-1)}_confirmation`) === value,
})

/**
 * A test: the field is sent whenever the other one is.
 *
 * @example
 * export default class ProfileRequest extends ResourceRequest<'Profile'> {
 *   override rules() {
 *     return this.checked({ website: string(), bio: string().test(requiredWith('website')) })
 *   }
 * }
 */
export const requiredWith = (other: string): Test => ({
  name: 'requiredWith',
  params: { other },
  test: (value, test) => isEmpty(siblingOf(test.parent, other)) || !isEmpty(value),
})

/**
 * A test: the field has the value of the other one.
 *
 * @example
 * export default class UserRequest extends ResourceRequest<'User', 'password' | 'passwordConfirmation'> {
 *   override rules() {
 *     return this.checked({ password: string().min(12), passwordConfirmation: string().test(same('password')) })
 *   }
 * }
 */
export const same = (other: string): Test => ({
  name: 'same',
  params: { other },
  skipAbsent: true,
  test: (value, test) => siblingOf(test.parent, other) === value,
})

/**
 * A test: the date-time lies in the future.
 *
 * @example
 * export default class PostRequest extends ResourceRequest<'Post'> {
 *   override rules() {
 *     return this.checked({ ...this.inferred(), publishedAt: dateTime().nullable().test(whenSent(future())) })
 *   }
 * }
 */
export const future = (): Test => ({
  name: 'future',
  skipAbsent: true,
  // What is no date-time is the rule's own failure.
  test: (value) => !(Date.parse(String(value)) <= Date.now()),
})

/**
 * A test that looks at what the client sends alone: a current value, which an update leaves as it is, passes.
 *
 * @example
 * export default class PostRequest extends ResourceRequest<'Post'> {
 *   override rules() {
 *     return this.checked({ ...this.inferred(), publishedAt: dateTime().nullable().test(whenSent(future())) })
 *   }
 * }
 */
export const whenSent = (test: Test): Test => ({
  ...test,
  test(value, context) {
    const [field = ''] = parsePath(context.path)
    const isSent = ruleContext(context)?.sent.has(field) ?? true
    return isSent ? (test.test?.call(context, value, context) ?? true) : true
  },
})

const siblingOf = (parent: unknown, name: string): unknown =>
  parent !== null && typeof parent === 'object' && Object.hasOwn(parent, name)
    ? (parent as Record<string, unknown>)[name]
    : undefined

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
