import { Server, type Serving } from 'prismapi'
import { described, serveExample } from '../serving.ts'

export default class V1 extends Server {
  override readonly name = 'v1'
  override readonly openapi = described

  override serving(phase: Serving): void {
    serveExample(phase)
  }
}
