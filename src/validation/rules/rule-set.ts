import type { ISchema } from 'yup'
import type { Linkage } from '../../document/types.ts'
import type { ColumnOf, ModelName, RelationOf } from '../../model/register.ts'

/**
 * Rules by field, or by a path below one (`tags.*`, `meta.comments`).
 *
 * @internal
 */
export type RuleSet = Readonly<Record<string, ISchema<unknown> | undefined>>

/** @internal */
type FieldOf<M extends ModelName, Extra extends string> = ColumnOf<M> | RelationOf<M> | Extra | 'id'

/** The rules of a model: a name that is none of its fields is a compile error. */
export type Rules<M extends ModelName, Extra extends string = never> = {
  readonly [Field in FieldOf<M, Extra> | `${FieldOf<M, Extra>}.${string}`]?: ISchema<unknown> | undefined
}

/**
 * What rules are about, by field: attributes as clients may have written them, relationships as their linkage. A name that is none
 * of the model's fields is a compile error (docs/specification.md#validation-data).
 */
export type ValidationData<M extends ModelName, Extra extends string = never> = {
  readonly [Field in FieldOf<M, Extra>]?: ValueOf<M, Field>
} & { readonly type: string }

/** @internal */
type ValueOf<M extends ModelName, Field extends string> = string extends Field
  ? unknown
  : Field extends 'id'
    ? string | null
    : Field extends RelationOf<M>
      ? Linkage
      : unknown

/**
 * Rules without a name that is no field.
 *
 * @internal
 */
export type KnownRules<R, M extends ModelName, Extra extends string> = {
  readonly [Key in keyof R]: Key extends keyof Rules<M, Extra> ? R[Key] : never
}
