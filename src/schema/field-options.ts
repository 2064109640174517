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
   * It will be gone: a client that names it, in a parameter or a document that is sent, or that asks a URL of the relation, is told so.
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
}
