import type { Deprecation } from './deprecation.ts'

/**
 * What every field can be told, attributes and relations alike.
 *
 * @example
 * export default class PostSchema extends Schema<'Post'> {
 *   override fields() {
 *     return [this.attribute('slug').named('handle').asReadOnly(), this.relation('tags').named('labels')]
 *   }
 * }
 */
export abstract class FieldOptions {
  /** Prisma's name of the column or relation, or the name of an attribute that has no column. */
  readonly field: string
  /** @internal */
  name: string
  /** @internal */
  isHidden?: boolean
  /** @internal */
  readOnly?: boolean
  /** @internal */
  deprecation?: Deprecation
  /** @internal */
  options?: FieldOptionValues

  /** `this.attribute(field)`, `this.relation(field)` and `this.morphTo(field, …)` do it. */
  constructor(field: string) {
    this.field = field
    this.name = field
  }

  /** The name in documents and URLs. */
  named(name: string): this {
    this.name = name
    return this
  }

  /** Neither read, written, included, filtered, sorted nor counted by; false shows what `@hidden` or its name hides. */
  hidden(isHidden = true): this {
    this.isHidden = isHidden
    return this
  }

  /** Documents that name it change nothing of it. Of a relation, the endpoints that change it do not exist. */
  asReadOnly(readOnly = true): this {
    this.readOnly = readOnly
    return this
  }

  /**
   * It will be gone: a client that names it, in a parameter or a document
   * that is sent, or that asks a URL of the relation, is told so.
   *
   * @throws {Error} at boot, for what is no date, and a sunset before `since`.
   * @example
   * export default class PostSchema extends Schema<'Post'> {
   *   override fields() {
   *     return [this.attribute('slug').deprecated({ since: '2026-01-01', sunset: '2026-12-31' })]
   *   }
   * }
   */
  deprecated(deprecation: Deprecation): this {
    this.deprecation = deprecation
    return this
  }

  /**
   * Gives it an option that a feature has.
   *
   * @throws {Error} at boot, for an option that no feature of the server has.
   */
  with<Value>(option: FieldOption<Value>, value: NoInfer<Value>): this {
    this.options = new Map(this.options).set(option, value)
    return this
  }
}

/**
 * What a schema class says of a field by the options of features.
 *
 * @internal
 */
export type FieldOptionValues = ReadonlyMap<FieldOption<unknown>, unknown>

/**
 * An option of attributes and relations that a feature has. Schema classes give
 * it by `.with(option, value)`, and the feature reads it of the compiled field.
 *
 * @example
 * const unit = new FieldOption<string>('unit')
 *
 * export default class VideoSchema extends Schema<'Video'> {
 *   override fields() {
 *     return [this.attribute('durationSeconds').with(unit, 's')]
 *   }
 * }
 */
export class FieldOption<Value> {
  /** What errors call the option. */
  readonly name: string

  /** One value for each feature: two options of one name are two options. */
  constructor(name: string) {
    this.name = name
  }

  /** The value that the schema class gives a field; null for none. */
  of({ options }: { readonly options?: FieldOptionValues }): Value | null {
    return (options?.get(this) as Value | undefined) ?? null
  }
}
