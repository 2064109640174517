import { Server, type Serving } from 'prismapi'
import { serveExample } from '../../src/app/serving.ts'

const hooksOf = ({ preparing, creating }: Serving) => ({ preparing, creating })

/** The first server of the example by a framework with every hole at once: it knows no scope, and asks no policy. */
export class Holed extends Server {
  override readonly name = 'v1'

  override authorizable() {
    return false
  }

  override serving(phase: Serving): void {
    const { user } = phase
    serveExample({ ...hooksOf(phase), user, scope: () => {} } as unknown as Serving)
  }
}

/** It knows the scopes: what a database can tell of reads. */
export class Scoped extends Holed {
  override serving(phase: Serving): void {
    serveExample(phase)
  }
}

/** Errors are told apart by nothing but their ids. */
export const withoutIds = (text: string): string => text.replace(/"id":"[0-9a-f-]{36}",?/g, '')
