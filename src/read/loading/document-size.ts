import { documentTooLarge, tooManyResources } from '../../document/errors.ts'
import type { Row } from '../../model/where.ts'
import { sizeParameter } from '../../request/request-url.ts'
import type { ReadContext } from '../read-context.ts'

type SizeContext = Pick<ReadContext, 'at' | 'limits'>

/** How much a document may still hold. It is counted while levels are read, so that none is read for a document that is too large. */
export class DocumentSize {
  private resources: number
  private characters: number
  private readonly ctx: SizeContext

  constructor(ctx: SizeContext) {
    this.ctx = ctx
    this.resources = ctx.limits.resources
    this.characters = ctx.limits.documentBytes
  }

  /** Resources, or identifiers of them. @throws {JsonApiError} 400 */
  add(count: number): void {
    this.resources -= count
    if (this.resources < 0) throw tooManyResources(sizeParameter(this.ctx.at), this.ctx.limits.resources)
  }

  /** A row that will be shown: a document has a byte for each character of it, at the least. @throws {JsonApiError} 400 */
  addRow(row: Row): void {
    this.add(1)
    for (const column in row) {
      const value = row[column]
      if (typeof value === 'string') this.characters -= value.length
    }
    if (this.characters < 0) throw documentTooLarge(sizeParameter(this.ctx.at), this.ctx.limits.documentBytes)
  }
}
