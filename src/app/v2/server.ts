import { Server, type Serving } from 'prismapi'
import { resources } from '../../../prisma/generated/resources.ts'
import { SignedInWrites } from '../authorizers/signed-in-writes.ts'
import { described, serveExample } from '../serving.ts'

export default class V2 extends Server {
  override readonly name = 'v2'
  override readonly version = '1.1'
  // The tests run it on MariaDB, too, whose changes cannot be logged.
  override readonly live: Server['live'] = resources.provider !== 'mysql'
  override readonly limits = { maxPageSize: 200 }
  override readonly openapi = described

  override serving(phase: Serving): void {
    serveExample(phase)
    phase.authorizer(SignedInWrites)
  }
}
