import { Server, type Serving } from 'prismapi'
import { serveExample } from '../serving.ts'

export default class V1 extends Server {
  override readonly name = 'v1'

  override serving(phase: Serving): void {
    serveExample(phase)
  }
}
