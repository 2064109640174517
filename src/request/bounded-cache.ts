/** Keeps what was made for the keys that were asked for last: at least so many of them, and at most twice as many. */
export interface BoundedCache<Value> {
  get(key: string, make: () => Value): Value
}

// Two generations instead of an order of use: to find a value costs one look-up and writes nothing.
export function boundedCache<Value>(size: number): BoundedCache<Value> {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()
  return {
    get(key, make) {
      const known = recent.get(key)
      if (known !== undefined) return known
      const value = older.get(key) ?? make()
      if (recent.size >= size) {
        older = recent
        recent = new Map()
      }
      recent.set(key, value)
      return value
    },
  }
}
