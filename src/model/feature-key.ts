/**
 * The name of a feature, with the type of what it compiles of a server.
 */
export class FeatureKey<Value> {
  /** What errors call the feature. */
  readonly name: string
  /** The type alone: there is no such member. */
  declare readonly value: Value

  constructor(name: string) {
    this.name = name
  }
}
